"""Texts on real desktops: what a person reads is what was written."""

import pytest
from programs import instant
from waiting import until

TEXTS = {
    "": ("Water the plants", "The ones on the balcony too"),
    "markup": ("R&D <b>review</b> & 1<2", "We <3 cats & <i>dogs</i> &amp; all"),
    "cjk": ("植物に水をやる", "ベランダの鉢も。请给植物浇水。"),
    "long": ("Bring the long list of things that nobody else in the whole house has wanted to carry "
             "down to the cellar since last spring, the broken chair first of all", "Both keys"),
}
TWELVE = ("Pay the rent", "Call the dentist", "Water the plants", "Stretch", "Take the bins out", "Pills",
          "Reply to Ana", "Book the train", "Feed the cat", "Back up the laptop", "Buy bread", "Read a page")


@pytest.mark.parametrize("kind", TEXTS)
def test_text_is_on_the_screen_as_it_was_written(kind, rings_on, screen, take_picture):
    title, note = TEXTS[kind]
    task = rings_on.add("--in", "1s", "--note", note, title)
    until(lambda: screen.shows(title), f"‘{title}’ is on the screen")
    take_picture(title, kind)
    if screen.tells_texts:
        assert note in screen.reads(title)
    screen.press(title, "Done")
    until(lambda: rings_on.show(task)["state"] == "done", "the button was heard")


def test_digest_names_the_first_five_and_shows_the_others_when_asked(rings_on, screen, take_picture):
    rings_on.add_at_once(TWELVE, seconds=4)
    title = "12 reminders"
    until(lambda: screen.shows(title), f"‘{title}’ is on the screen")
    take_picture(title, "digest")
    if screen.tells_texts:
        assert "… and 7 more" in screen.reads(title)
    screen.press(title, "Show")
    if screen.tells_texts:
        until(lambda: TWELVE[-1] in screen.reads(title), "the last one is listed")
    until(lambda: screen.shows(title), f"‘{title}’ is on the screen")
    screen.press(title, "Done all")
    until(lambda: not rings_on.objects("list"), "the button was heard")


def test_done_on_a_recurring_task_completes_this_occurrence_only(rings_on, screen, take_picture):
    title = "Pills"
    task = rings_on.add("--every", "day", "--in", "1s", "--priority", "high", title)
    until(lambda: screen.shows(title), f"‘{title}’ is on the screen")
    take_picture(title, "recurring")
    screen.press(title, "Done")
    until(lambda: rings_on.show(task)["alarm"] != "ringing", "the button was heard")
    after = rings_on.show(task)
    assert after["state"] == "open"
    assert instant(after["nextRing"]) > instant(task["nextRing"])
