extension TimerWheel {
    /// Names one timer until it is popped or cancelled; after that it names nothing, also when its
    /// place has been given to another timer.
    package struct Handle: Hashable, Sendable {
        let place: Int32
        let generation: UInt32
    }

    /// A timer that has come due: its payload, and the tick it was inserted with.
    package struct Due: Equatable, BitwiseCopyable, Sendable {
        package let payload: Int64
        package let tick: UInt64
    }

    /// The tick lies further ahead than the wheel reaches: keep the timer elsewhere for now.
    package struct BeyondHorizon: Error, Equatable {
        package let tick: UInt64
        package let now: UInt64
    }

    /// A timer that was found to be the next one, as long as the wheel has this shape.
    struct Earliest {
        let tick: UInt64
        let handle: Handle
        let slot: Int
        let position: WheelPosition
        let shape: UInt64
    }
}
