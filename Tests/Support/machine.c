/* What a machine does to a daemon, without doing it to the machine: the wall clock of this one process
 * is set, the machine sleeps, and its disk fails. Preloaded (ld.so(8), LD_PRELOAD); takes orders from
 * the socket at MACHINE_SOCKET (unix(7), SOCK_SEQPACKET), one a packet, and answers "ok" when it is done:
 *   set MILLISECONDS   CLOCK_REALTIME is set, so far ahead of the machine's (negative: behind)
 *   pass MILLISECONDS  so much time passes at once, as in a suspend: the clock goes on, nobody set it
 *   disk ERRNO EVERY   of the writes to files, and of the syncs, each EVERYth fails with that error;
 *                      ERRNO -1: writes half of it; EVERY 0: the disk is well again
 * As settimeofday(2) does, a step makes timers of CLOCK_REALTIME expire whose time has come, and those
 * with TFD_TIMER_CANCEL_ON_SET readable, whose read(2) gives ECANCELED (timerfd_create(2)). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
#define REAL(name) ({ static __typeof__(name) *next; if (!next) next = NEXT(name); next; })

enum { MOST_DESCRIPTORS = 4096 };

static atomic_llong ahead; /* milliseconds */
static atomic_int fault, every, writes;

/* The timers of CLOCK_REALTIME: by descriptor, what was asked for, in the time of this process. */
static struct timer {
    bool is_ours, is_cancelled;
    int flags;
    struct itimerspec wanted;
} timers[MOST_DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The clock. */

/* That much later, with the nanoseconds of a second. */
static void add(struct timespec *to, long long milliseconds) {
    to->tv_sec += milliseconds / 1000;
    to->tv_nsec += milliseconds % 1000 * 1000000;
    if (to->tv_nsec < 0) { to->tv_nsec += 1000000000; to->tv_sec--; }
    if (to->tv_nsec >= 1000000000) { to->tv_nsec -= 1000000000; to->tv_sec++; }
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    int code = REAL(clock_gettime)(clock, out);
    if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        add(out, atomic_load(&ahead));
    return code;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone; /* obsolete: gettimeofday(2) */
    struct timespec now;
    int code = clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return code;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

int timerfd_create(int clock, int flags) {
    int timer = REAL(timerfd_create)(clock, flags);
    if (clock == CLOCK_REALTIME && timer >= 0 && timer < MOST_DESCRIPTORS) {
        pthread_mutex_lock(&lock);
        timers[timer] = (struct timer){.is_ours = true};
        pthread_mutex_unlock(&lock);
    }
    return timer;
}

/* Arms it at the machine's time for what this process wanted; at once when that has passed. */
static int arm(int timer, const struct timer *it, struct itimerspec *old) {
    struct itimerspec at = it->wanted;
    bool is_armed = at.it_value.tv_sec || at.it_value.tv_nsec;
    if (is_armed && (it->flags & TFD_TIMER_ABSTIME)) {
        /* What never expires stays so. */
        if (at.it_value.tv_sec < INT64_MAX / 2) add(&at.it_value, -atomic_load(&ahead));
        if (at.it_value.tv_sec < 0) at.it_value = (struct timespec){0, 1};
        if (!at.it_value.tv_sec && !at.it_value.tv_nsec) at.it_value.tv_nsec = 1;
    }
    return REAL(timerfd_settime)(timer, it->flags, &at, old);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
    if (timer < 0 || timer >= MOST_DESCRIPTORS || !timers[timer].is_ours)
        return REAL(timerfd_settime)(timer, flags, wanted, old);
    pthread_mutex_lock(&lock);
    timers[timer] = (struct timer){.is_ours = true, .flags = flags, .wanted = *wanted};
    int code = arm(timer, &timers[timer], old);
    pthread_mutex_unlock(&lock);
    return code;
}

static void set_clock(long long milliseconds, bool was_set) {
    static const struct itimerspec at_once = {{0, 0}, {0, 1}};
    pthread_mutex_lock(&lock);
    atomic_store(&ahead, milliseconds);
    for (int timer = 0; timer < MOST_DESCRIPTORS; timer++) {
        struct timer *it = &timers[timer];
        if (!it->is_ours) continue;
        it->is_cancelled |= was_set && (it->flags & TFD_TIMER_CANCEL_ON_SET);
        /* A descriptor that is no timer any more fails here, and is forgotten. */
        it->is_ours = it->is_cancelled
            ? REAL(timerfd_settime)(timer, TFD_TIMER_ABSTIME, &at_once, NULL) == 0
            : arm(timer, it, NULL) == 0;
    }
    pthread_mutex_unlock(&lock);
}

ssize_t read(int file, void *out, size_t size) {
    if (file >= 0 && file < MOST_DESCRIPTORS && timers[file].is_ours) {
        pthread_mutex_lock(&lock);
        bool was_cancelled = timers[file].is_cancelled;
        timers[file].is_cancelled = false;
        if (was_cancelled) arm(file, &timers[file], NULL);
        pthread_mutex_unlock(&lock);
        if (was_cancelled) { errno = ECANCELED; return -1; }
    }
    return REAL(read)(file, out, size);
}

/* The disk. */

/* 0, or the error with which this write to that file is to fail. */
static int fault_of(int file) {
    struct stat status;
    int each = atomic_load(&every);
    if (!each || fstat(file, &status) || !S_ISREG(status.st_mode)) return 0;
    return atomic_fetch_add(&writes, 1) % each ? 0 : atomic_load(&fault);
}

#define WRITES(call, offset_type) \
    ssize_t call(int file, const void *data, size_t size, offset_type offset) { \
        int error = fault_of(file); \
        if (error > 0) { errno = error; return -1; } \
        return REAL(call)(file, data, error ? size / 2 : size, offset); \
    }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

#define SYNCS(call) \
    int call(int file) { \
        int error = fault_of(file); \
        if (error > 0) { errno = error; return -1; } \
        return REAL(call)(file); \
    }
SYNCS(fsync)
SYNCS(fdatasync)

int ftruncate64(int file, off64_t size) {
    int error = fault_of(file);
    if (error > 0) { errno = error; return -1; }
    return REAL(ftruncate64)(file, size);
}

/* The orders. */

static void *obey(void *argument) {
    int orders = (int)(intptr_t)argument;
    char order[100];
    for (;;) {
        ssize_t size = recv(orders, order, sizeof order - 1, 0);
        if (size <= 0) return NULL;
        order[size] = 0;
        long long milliseconds;
        int error, each;
        if (sscanf(order, "set %lld", &milliseconds) == 1) {
            set_clock(milliseconds, true);
        } else if (sscanf(order, "pass %lld", &milliseconds) == 1) {
            set_clock(atomic_load(&ahead) + milliseconds, false);
        } else if (sscanf(order, "disk %d %d", &error, &each) == 2) {
            atomic_store(&fault, error);
            atomic_store(&every, each);
        } else {
            return NULL;
        }
        if (send(orders, "ok", 2, MSG_NOSIGNAL) != 2) return NULL;
    }
}

static void give_up(const char *what) {
    perror(what);
    exit(71);
}

__attribute__((constructor)) static void begin(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("MACHINE_SOCKET");
    if (!path || strlen(path) >= sizeof address.sun_path) give_up("MACHINE_SOCKET");
    strcpy(address.sun_path, path);
    /* What this process starts lives on the real machine. */
    unsetenv("LD_PRELOAD");
    unsetenv("MACHINE_SOCKET");
    int orders = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (orders < 0 || connect(orders, (struct sockaddr *)&address, sizeof address)) give_up("machine");
    /* The signals of this process are for its own threads. */
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, obey, (void *)(intptr_t)orders)) give_up("machine");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
