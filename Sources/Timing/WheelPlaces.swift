/// Where the wheel keeps its timers: numbered places, each used again once it is free.
///
/// A place's generation is odd while it holds a timer, and changes with each use and each release:
/// so a handle, which is a place and a generation, never meets a later timer in the same place (but
/// after 2³¹ uses of that place). A place that was vacated stays out of use until it is freed: the
/// slot lists still name it until then.
struct WheelPlaces: ~Copyable, Sendable {
    /// Tick and payload lie side by side: who moves a timer down has its payload at hand for popping.
    private var timers: Column<TimerWheel.Due>
    private var generations: Column<UInt32>
    private var free = Column<Int32>()

    init(capacity: Int) {
        timers = Column(capacity: capacity)
        generations = Column(capacity: capacity)
    }

    /// How many places there are: in use, vacated and free.
    var count: Int { timers.count }

    @inline(__always)
    subscript(place: Int32) -> TimerWheel.Due { timers[Int(place)] }

    /// Whether the place still holds its timer; else it has been vacated.
    @inline(__always)
    func isHeld(_ place: Int32) -> Bool { generations[Int(place)] & 1 == 1 }

    @inline(__always)
    func holds(_ handle: TimerWheel.Handle) -> Bool {
        let place = Int(handle.place)
        return place < generations.count && generations[place] == handle.generation
    }

    /// Puts a timer into the place freed last, or a new one at the end.
    @inline(__always)
    mutating func take(_ timer: TimerWheel.Due) -> TimerWheel.Handle {
        guard let place = free.popLast() else {
            precondition(count < Int32.max, "\(count) timers are all that can be held")
            timers.append(timer)
            generations.append(1)
            return TimerWheel.Handle(
                place: Int32(truncatingIfNeeded: count &- 1), generation: 1)
        }
        let generation = generations[Int(place)] &+ 1
        assert(generation & 1 == 1, "place \(place) was free and in use, generation \(generation)")
        generations[Int(place)] = generation
        timers[Int(place)] = timer
        return TimerWheel.Handle(place: place, generation: generation)
    }

    /// Ends the timer; the place is not used again before `release`.
    @inline(__always)
    mutating func vacate(_ place: Int32) {
        assert(isHeld(place), "place \(place) is vacated twice")
        generations[Int(place)] &+= 1
    }

    /// Gives a vacated place back, once no slot lists it any more.
    @inline(__always)
    mutating func release(_ place: Int32) {
        assert(!isHeld(place), "place \(place) is freed while it holds a timer")
        free.append(place)
    }
}
