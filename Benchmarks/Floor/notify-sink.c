/* A notification server that does nothing but say when it was called: for each Notify a line
 * “NANOSECONDS SUMMARY”, nanoseconds since 1970. Says “ready” when it has the name. */
#include <gio/gio.h>
#include <stdio.h>
#include <time.h>

static const char *description =
    "<node><interface name='org.freedesktop.Notifications'>"
    "<method name='Notify'><arg direction='in' type='s'/><arg direction='in' type='u'/>"
    "<arg direction='in' type='s'/><arg direction='in' type='s'/><arg direction='in' type='s'/>"
    "<arg direction='in' type='as'/><arg direction='in' type='a{sv}'/><arg direction='in' type='i'/>"
    "<arg direction='out' type='u'/></method>"
    "<method name='CloseNotification'><arg direction='in' type='u'/></method>"
    "<method name='GetCapabilities'><arg direction='out' type='as'/></method>"
    "<method name='GetServerInformation'><arg direction='out' type='s'/>"
    "<arg direction='out' type='s'/><arg direction='out' type='s'/>"
    "<arg direction='out' type='s'/></method></interface></node>";

static void called(GDBusConnection *bus, const char *sender, const char *path,
    const char *interface, const char *method, GVariant *parameters,
    GDBusMethodInvocation *call, gpointer unused) {
    static guint32 last;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (g_str_equal(method, "Notify")) {
        const char *summary;
        g_variant_get_child(parameters, 3, "&s", &summary);
        printf("%lld%09ld %s\n", (long long)now.tv_sec, now.tv_nsec, summary);
        fflush(stdout);
        g_dbus_method_invocation_return_value(call, g_variant_new("(u)", ++last));
    } else if (g_str_equal(method, "GetCapabilities")) {
        const char *all[] = {"body", "actions", "persistence", "sound", NULL};
        g_dbus_method_invocation_return_value(call, g_variant_new("(^as)", all));
    } else if (g_str_equal(method, "GetServerInformation")) {
        g_dbus_method_invocation_return_value(
            call, g_variant_new("(ssss)", "sink", "remindd", "1", "1.2"));
    } else {
        g_dbus_method_invocation_return_value(call, NULL);
    }
}

static void named(GDBusConnection *bus, const char *name, gpointer unused) {
    puts("ready");
    fflush(stdout);
}

static void connected(GDBusConnection *bus, const char *name, gpointer unused) {
    static const GDBusInterfaceVTable table = {.method_call = called};
    g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(description, NULL);
    g_dbus_connection_register_object(bus, "/org/freedesktop/Notifications",
        node->interfaces[0], &table, NULL, NULL, NULL);
}

int main(void) {
    g_bus_own_name(G_BUS_TYPE_SESSION, "org.freedesktop.Notifications", G_BUS_NAME_OWNER_FLAGS_NONE,
        connected, named, NULL, NULL, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
