/// What tells a timer that is held from one that is gone: numbered places, each with a bit that says
/// whether a timer has it, and a generation that counts the timers which have had it.
///
/// A handle is a place and a generation, so it never meets a later timer in the same place (but
/// after 2³² uses of that place). A place that was vacated is not used again before it is released:
/// until then a slot still lists it.
///
/// The bits lie apart from the generations because moving and popping timers asks for places in any
/// order: a million bits stay in the processor's cache, a million generations do not.
///
/// They are written without `|=` and `&=`: with ThreadSanitizer, Swift 6.3 makes invalid code of these
/// on a column ("Invalid bitcast").
struct WheelPlaces: ~Copyable, Sendable {
    private var generations: Column<UInt32>
    private var held: Column<UInt64>
    private var free = Column<Int32>()

    init(capacity: Int) {
        generations = Column(capacity: capacity)
        held = Column(capacity: capacity / 64)
    }

    /// How many places there are: in use, vacated and free.
    var count: Int { generations.count }

    /// Whether the place still holds its timer; else it has been vacated.
    @inline(__always)
    func isHeld(_ place: Int32) -> Bool {
        held[Int(place &>> 6)] &>> UInt64(place & 63) & 1 == 1
    }

    @inline(__always)
    func holds(_ handle: TimerWheel.Handle) -> Bool {
        let place = Int(handle.place)
        return place < generations.count && generations[place] == handle.generation
            && isHeld(handle.place)
    }

    /// The handle of the timer that a place holds.
    func handle(of place: Int32) -> TimerWheel.Handle {
        assert(isHeld(place), "place \(place) holds nothing")
        return TimerWheel.Handle(place: place, generation: generations[Int(place)])
    }

    /// The place freed last, or a new one at the end.
    @inline(__always)
    mutating func take() -> TimerWheel.Handle {
        let place = free.popLast() ?? addPlace()
        assert(!isHeld(place), "place \(place) was free and in use")
        let word = Int(place &>> 6)
        held[word] = held[word] | 1 &<< UInt64(place & 63)
        let generation = generations[Int(place)] &+ 1
        generations[Int(place)] = generation
        return TimerWheel.Handle(place: place, generation: generation)
    }

    /// Ends the timer; the place is not used again before `release`.
    @inline(__always)
    mutating func vacate(_ place: Int32) {
        assert(isHeld(place), "place \(place) is vacated twice")
        let word = Int(place &>> 6)
        held[word] = held[word] & ~(1 &<< UInt64(place & 63))
    }

    /// Gives a vacated place back, once no slot lists it any more.
    @inline(__always)
    mutating func release(_ place: Int32) {
        assert(!isHeld(place), "place \(place) is freed while it holds a timer")
        free.append(place)
    }

    /// Gives a place back if it has been vacated: no branch on what cannot be foreseen.
    /// - Returns: whether it holds a timer, and was not given back.
    @inline(__always)
    mutating func releaseUnlessHeld(_ place: Int32) -> Bool {
        let isHeld = isHeld(place)
        free.append(place, kept: !isHeld)
        return isHeld
    }

    @inline(__always)
    private mutating func addPlace() -> Int32 {
        let place = generations.count
        precondition(place < Int32.max, "\(place) timers are all that can be held")
        if place & 63 == 0 { held.append(0) }
        generations.append(0)
        return Int32(truncatingIfNeeded: place)
    }
}
