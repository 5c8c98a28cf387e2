import CNotify
import Synchronization

/// A thread that runs a GLib main loop on a context of its own, and the executor of what lives there.
///
/// The context is the thread's default one: GDBus and libnotify deliver here whatever is created
/// here. An idle loop waits in `poll` without a time limit.
final class GLibThread: SerialExecutor {
    private nonisolated(unsafe) let context: OpaquePointer?
    private nonisolated(unsafe) let loop: OpaquePointer?
    private let handle = Mutex<Started?>(nil)

    private struct Started: @unchecked Sendable {
        let thread: UnsafeMutablePointer<GThread>
    }

    init() {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
    }

    deinit {
        g_main_loop_unref(loop)
        g_main_context_unref(context)
    }

    /// Starts the thread; it ends with ``quit()``.
    func start() {
        let main = Unmanaged.passRetained(self).toOpaque()
        guard let thread = g_thread_new("popups", glibThreadMain, main) else { return }
        handle.withLock { $0 = Started(thread: thread) }
    }

    /// Waits until the thread has ended, which ``quit()`` asked for. Not on the thread itself.
    func join() {
        guard let started = handle.withLock({ $0.take() }) else { return }
        g_thread_join(started.thread)
    }

    /// Ends the loop after the work that is already posted. The thread then ends.
    func quit() {
        post { [self] in g_main_loop_quit(loop) }
    }

    fileprivate func run() {
        g_main_context_push_thread_default(context)
        g_main_loop_run(loop)
        // What GLib still has to deliver holds objects, the connection among them.
        while g_main_context_iteration(context, 0) != 0 {}
        g_main_context_pop_thread_default(context)
    }

    /// Runs `work` on the thread, in the order of the calls. Callable on any thread.
    func post(_ work: @escaping @Sendable () -> Void) {
        attach(g_idle_source_new(), work)
    }

    /// Runs `work` on the thread when `seconds` have passed. Callable on any thread.
    func after(seconds: UInt32, _ work: @escaping @Sendable () -> Void) {
        attach(g_timeout_source_new(seconds * 1000), work)
    }

    private func attach(
        _ source: UnsafeMutablePointer<GSource>?, _ work: @escaping @Sendable () -> Void
    ) {
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        let work = Work(work).retained()
        remindd_hand_over(work)
        g_source_set_callback(source, runWork, work, releaseWork)
        g_source_attach(source, context)
        g_source_unref(source)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        post { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        precondition(g_main_context_is_owner(context) != 0, "not on the pop-up thread")
    }
}

/// A closure in a box that C can carry.
private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
}

private nonisolated func glibThreadMain(_ data: UnsafeMutableRawPointer?)
    -> UnsafeMutableRawPointer?
{
    guard let data else { return nil }
    Unmanaged<GLibThread>.fromOpaque(data).takeRetainedValue().run()
    return nil
}

private nonisolated func runWork(_ data: UnsafeMutableRawPointer?) -> gboolean {
    guard let data else { return 0 }
    remindd_take_over(data)
    Unmanaged<Work>.fromOpaque(data).takeUnretainedValue().run()
    return 0
}

private nonisolated func releaseWork(_ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<Work>.fromOpaque(data).release()
}
