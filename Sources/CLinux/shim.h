/* What Swift's Glibc module cannot import, one `static inline` each, with its reason.
   Every function returns what the C call returns: -1 and errno on failure. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

/* No _GNU_SOURCE here: it renames members of `fd_set`, which then differs from the one in Swift's
   Glibc and Dispatch modules. What it would show is declared by hand below. */
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>

/* Hidden without _GNU_SOURCE. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);

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

#endif
