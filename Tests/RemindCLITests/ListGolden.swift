/// What `list` prints of the tasks in `ListTableTests`, by the terminal's columns.
enum ListGolden {
    static let texts: [Int: String] = [40: forty, 80: eighty, 200: twoHundred]

    private static let forty = """
        Overdue
          3 *  買い物…   yesterday 18:00
          4  ! Pay ren…  yesterday

        Today
         12 z  Water t…  today 18:30

        Tomorrow
          7    cafe\u{301} 👩\u{200D}👩\u{200D}👧   tomorrow 09:00

        This week
          8    \u{2068}שלום\u{2069}      Fri

        Later
        120    Tax       Wed 1 May 2030, 09:00 …

        No date
          9    Read

        Done
          1 x  한국어

        """

    private static let eighty = """
        Overdue
          3 *  買い物リスト                yesterday 18:00
          4  ! Pay rent now                yesterday

        Today
         12 z  Water the plants on the b…  today 18:30                         every Mon

        Tomorrow
          7    cafe\u{301} 👩\u{200D}👩\u{200D}👧                     tomorrow 09:00

        This week
          8    \u{2068}שלום\u{2069}                        Fri

        Later
        120    Tax                         Wed 1 May 2030, 09:00 Europe/Paris

        No date
          9    Read

        Done
          1 x  한국어

        """

    private static let twoHundred = """
        Overdue
          3 *  買い物リスト                                              yesterday 18:00                                #home
          4  ! Pay rent now                                              yesterday

        Today
         12 z  Water the plants on the balcony and those in the kitchen  today 18:30                         every Mon  #home

        Tomorrow
          7    cafe\u{301} 👩\u{200D}👩\u{200D}👧                                                   tomorrow 09:00

        This week
          8    \u{2068}שלום\u{2069}                                                      Fri

        Later
        120    Tax                                                       Wed 1 May 2030, 09:00 Europe/Paris

        No date
          9    Read

        Done
          1 x  한국어

        """
}
