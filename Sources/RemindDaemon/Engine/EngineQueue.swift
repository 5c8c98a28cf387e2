import Dispatch

/// Runs an actor on one serial Dispatch queue, so that Dispatch's handlers on that queue are inside
/// the actor already and need no hop. (This toolchain's Dispatch has no executor of its own.)
final class EngineQueue: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInteractive)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Lets `assumeIsolated` know what the queue knows.
    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
