/* What Swift's Glibc module cannot import, one `static inline` each, with its reason.
   Every function returns what the C call returns: -1 and errno on failure. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

/* No _GNU_SOURCE here: it renames members of `fd_set`, which then differs from the one in Swift's
   Glibc and Dispatch modules. What it would show is declared by hand below. */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* malloc.h is in no Swift module. Gives freed memory back to the system. malloc_trim(3). */
extern int malloc_trim(size_t);
static inline void clinux_trim(void) { malloc_trim(0); }

/* Hidden without _GNU_SOURCE. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int memfd_create(const char *, unsigned int);
extern int pipe2(int[2], int);
extern int sync_file_range(int, int64_t, int64_t, unsigned int);
extern int syncfs(int);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern long syscall(long, ...);

/* `struct ucred`, which is hidden without _GNU_SOURCE. unix(7), SO_PEERCRED. */
struct clinux_credentials {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

/* Who is at the other end of a connected Unix socket, as it was when it connected. */
static inline int clinux_peer_credentials(int fd, struct clinux_credentials *out) {
    socklen_t size = sizeof(*out);
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, out, &size);
}

/* accept4(2): non-blocking and close-on-exec from the first moment, so that no child inherits it. */
static inline int clinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* socket(2): `SOCK_STREAM` is an enum in Glibc and the flags are another one; Swift cannot OR them. */
static inline int clinux_unix_stream(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* sys/timerfd.h is in no Swift module. A timer of CLOCK_REALTIME, non-blocking, close-on-exec. */
static inline int clinux_realtime_timer(void) {
    return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
}

/* timerfd_settime(2): never expires, but becomes readable when the wall clock is set; read(2) then
   fails with ECANCELED, and the timer keeps watching. */
static inline int clinux_watch_clock(int timer) {
    struct itimerspec never = {{0, 0}, {0, 0}};
    never.it_value.tv_sec = (time_t)INT64_MAX;
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

/* timerfd_settime(2): becomes readable at that time (milliseconds since 1970), or when the wall clock
   is set; read(2) then fails with ECANCELED. 0 milliseconds disarm. */
static inline int clinux_arm_clock(int timer, int64_t milliseconds) {
    struct itimerspec at = {{0, 0}, {0, 0}};
    at.it_value.tv_sec = (time_t)(milliseconds / 1000);
    at.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, NULL);
}

/* sys/signalfd.h is in no Swift module. signalfd(2): the signals of `set`, which the caller blocks,
   are read from it; non-blocking, close-on-exec. */
static inline int clinux_signals(const sigset_t *set) {
    return signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* read(2) of one `struct signalfd_siginfo`: the number of a signal that has come, 0 for none. */
static inline int clinux_next_signal(int signals) {
    struct signalfd_siginfo info;
    return read(signals, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

/* adjtimex(2), whose header is in no Swift module, without changing anything: 0 when the clock is
   synchronised, 1 when it is not, -1 when the system does not tell. */
static inline int clinux_clock_state(void) {
    struct timex state = {0};
    int code = adjtimex(&state);
    if (code < 0) return -1;
    return code == TIME_ERROR || (state.status & STA_UNSYNC) ? 1 : 0;
}

/* pidfd_open(2): readable when the child has ended; close-on-exec by itself. By its number, since
   <sys/pidfd.h> came with glibc 2.36 only. */
static inline int clinux_pidfd(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/* memfd_create(2), hidden without _GNU_SOURCE: a file in memory, close-on-exec (MFD_CLOEXEC is 1). */
static inline int clinux_memory_file(const char *name) { return memfd_create(name, 1U); }

/* fcntl(2): when the last writing end of `pipe` is closed, be it by the death of its process, the
   kernel kills the process group. F_SETSIG (10) is hidden without _GNU_SOURCE. */
static inline int clinux_kill_with_writer(int pipe, pid_t group) {
    if (fcntl(pipe, F_SETOWN, -group) < 0 || fcntl(pipe, 10, SIGKILL) < 0) return -1;
    return fcntl(pipe, F_SETFL, fcntl(pipe, F_GETFL) | O_ASYNC);
}

/* sys/epoll.h is in no Swift module. epoll_create1(2), close-on-exec. */
static inline int clinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

enum { clinux_no_event = 0, clinux_input = EPOLLIN, clinux_output = EPOLLOUT };

static inline int clinux_epoll_control(int epoll, int operation, int fd, int events, uint64_t token) {
    struct epoll_event event = {0};
    event.events = (uint32_t)events | EPOLLONESHOT;
    event.data.u64 = token;
    return epoll_ctl(epoll, operation, fd, &event);
}

/* A descriptor is watched under `token`: one of `events`, a hang-up or an error is told once, then none
   until `clinux_rearm`. */
static inline int clinux_watch(int epoll, int fd, int events, uint64_t token) {
    return clinux_epoll_control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

static inline int clinux_rearm(int epoll, int fd, int events, uint64_t token) {
    return clinux_epoll_control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

static inline int clinux_unwatch(int epoll, int fd) {
    return clinux_epoll_control(epoll, EPOLL_CTL_DEL, fd, clinux_no_event, 0);
}

/* epoll_wait(2), for as long as it takes: the tokens of up to 64 descriptors that are ready. */
static inline int clinux_wait_until_ready(int epoll, uint64_t tokens[64]) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < count; i++) tokens[i] = events[i].data.u64;
    return count;
}

/* pipe2(2), hidden without _GNU_SOURCE; close-on-exec. `ends` are the reading and the writing one. */
static inline int clinux_pipe(int ends[2]) { return pipe2(ends, 02000000); }

/* Has the disk begin to write what a file was given, without waiting for it. A hint: it may fail.
   sync_file_range(2), SYNC_FILE_RANGE_WRITE. */
static inline int clinux_begin_writing(int fd) { return sync_file_range(fd, 0, 0, 2); }

/* Waits until all that the file system of a file was given is on the disk. syncfs(2). */
static inline int clinux_sync_file_system(int fd) { return syncfs(fd); }

#endif
