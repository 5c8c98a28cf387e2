// What timers cost in the libraries that programs in C use: a million of them, spread over two years,
// inserted, then cancelled in any order. Prints rows of a Markdown table; nanoseconds and bytes of one.
#include <ev.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <glib.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIMERS = 1000000, ROUNDS = 5, HORIZON = 67600000 };

static double seconds_ahead[TIMERS];
static int order[TIMERS];

struct figures {
    double insert, cancel, bytes;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static double held(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static void shuffle(void) {
    for (int i = 0; i < TIMERS; i++) {
        seconds_ahead[i] = 1 + drand48() * HORIZON;
        order[i] = i;
    }
    for (int i = TIMERS - 1; i > 0; i--) {
        int other = (int)(drand48() * (i + 1)), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

static void ev_ring(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)timer, (void)events;
}

static struct figures of_libev(void) {
    double memory = held();
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    ev_timer *timers = malloc(sizeof(ev_timer) * TIMERS);
    double start = now();
    for (int i = 0; i < TIMERS; i++) {
        ev_timer_init(&timers[i], ev_ring, seconds_ahead[i], 0);
        ev_timer_start(loop, &timers[i]);
    }
    double full = now();
    memory = held() - memory;
    for (int i = 0; i < TIMERS; i++) ev_timer_stop(loop, &timers[order[i]]);
    double end = now();
    ev_loop_destroy(loop);
    free(timers);
    return (struct figures){full - start, end - full, memory};
}

static void event_ring(evutil_socket_t socket, short events, void *nothing) {
    (void)socket, (void)events, (void)nothing;
}

static struct figures of_libevent(void) {
    double memory = held();
    struct event_base *base = event_base_new();
    struct event *timers = malloc(sizeof(struct event) * TIMERS);
    double start = now();
    for (int i = 0; i < TIMERS; i++) {
        struct timeval ahead = {(time_t)seconds_ahead[i], i % 1000000};
        evtimer_assign(&timers[i], base, event_ring, NULL);
        evtimer_add(&timers[i], &ahead);
    }
    double full = now();
    memory = held() - memory;
    for (int i = 0; i < TIMERS; i++) evtimer_del(&timers[order[i]]);
    double end = now();
    event_base_free(base);
    free(timers);
    return (struct figures){full - start, end - full, memory};
}

static gboolean glib_ring(gpointer nothing) {
    (void)nothing;
    return G_SOURCE_REMOVE;
}

static struct figures of_glib(void) {
    double memory = held();
    GMainContext *context = g_main_context_new();
    GSource **timers = malloc(sizeof(GSource *) * TIMERS);
    double start = now();
    for (int i = 0; i < TIMERS; i++) {
        timers[i] = g_timeout_source_new_seconds((guint)seconds_ahead[i]);
        g_source_set_callback(timers[i], glib_ring, NULL, NULL);
        g_source_attach(timers[i], context);
    }
    double full = now();
    memory = held() - memory;
    for (int i = 0; i < TIMERS; i++) {
        g_source_destroy(timers[order[i]]);
        g_source_unref(timers[order[i]]);
    }
    double end = now();
    g_main_context_unref(context);
    free(timers);
    return (struct figures){full - start, end - full, memory};
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print(const char *name, const char *what, double *values) {
    qsort(values, ROUNDS, sizeof(double), ascending);
    printf("| %s: %s | %.0f ns | %.0f ns | %.0f ns |\n", name, what, values[ROUNDS / 2] / TIMERS,
           values[0] / TIMERS, values[ROUNDS - 1] / TIMERS);
}

static void measure(const char *name, struct figures (*run)(void)) {
    double insert[ROUNDS], cancel[ROUNDS], bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct figures figures = run();
        insert[round] = figures.insert;
        cancel[round] = figures.cancel;
        bytes = figures.bytes;
    }
    print(name, "insert", insert);
    print(name, "cancel, in any order", cancel);
    printf("| %s: memory | %.0f bytes | | |\n", name, bytes / TIMERS);
}

int main(void) {
    shuffle();
    measure("libev, 1,000,000 timers", of_libev);
    measure("libevent, 1,000,000 timers", of_libevent);
    measure("GLib, 1,000,000 timers", of_glib);
}
