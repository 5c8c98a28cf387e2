/* The floor of a ring: timerfd to the notification server's answer.
 *   timer-notify SECOND…       seconds since 1970
 * At each second calls Notify of org.freedesktop.Notifications on the session bus. */
#include <gio/gio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(int count, char **arguments) {
    g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (bus == NULL || timer < 0) return 69;
    for (int index = 1; index < count; index++) {
        struct itimerspec at = {.it_value.tv_sec = atoll(arguments[index])};
        guint64 times;
        if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) != 0) return 71;
        if (read(timer, &times, sizeof times) != sizeof times) return 71;
        const char *none[] = {NULL};
        g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
            bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
            "org.freedesktop.Notifications", "Notify",
            g_variant_new("(susss^as@a{sv}i)", "floor", 0, "", arguments[index], "", none,
                g_variant_new_array(G_VARIANT_TYPE("{sv}"), NULL, 0), 0),
            NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
        if (reply == NULL) return 76;
    }
    return 0;
}
