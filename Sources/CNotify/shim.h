#include <gio/gio.h>
#include <libnotify/notify.h>

/* `g_object_new` is variadic, and `notify_notification_new` cannot set `id`, which libnotify sends
   as `replaces_id`. */
static inline NotifyNotification *remindd_notification_new(const char *summary, const char *body,
                                                           const char *icon, guint32 replaces) {
    return (NotifyNotification *)g_object_new(NOTIFY_TYPE_NOTIFICATION, "summary", summary, "body",
                                              body, "icon-name", icon, "id", (gint)replaces, NULL);
}

/* The arguments of a `Notify` without text that expires after `timeout` milliseconds: floating.
   `g_variant_new` is variadic. */
static inline GVariant *remindd_expiring_arguments(const char *app, guint32 replaces, gint timeout) {
    return g_variant_new("(susss@as@a{sv}i)", app, replaces, "", "", "", g_variant_new_strv(NULL, 0),
                         g_variant_new_array(G_VARIANT_TYPE("{sv}"), NULL, 0), timeout);
}

/* `g_object_get` is variadic. */
static inline guint32 remindd_notification_id(NotifyNotification *notification) {
    gint id = 0;
    g_object_get(notification, "id", &id, NULL);
    return (guint32)id;
}

/* Error domains are macros that call a function. */
static inline gboolean remindd_error_is_timeout(const GError *error) {
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

/* `G_CALLBACK` is a cast that does not import. */
static inline gulong remindd_on_closed(GDBusConnection *connection,
                                       void (*callback)(GDBusConnection *, gboolean, GError *,
                                                        gpointer),
                                       gpointer data) {
    return g_signal_connect_data(connection, "closed", G_CALLBACK(callback), data, NULL,
                                 (GConnectFlags)0);
}

/* What one thread puts into a queue of GLib's and another takes out. ThreadSanitizer does not see the
 * locks of GLib, which was not built for it, and is told here; in other builds there are no such
 * functions (sanitizer/tsan_interface.h), and nothing is called. */
extern void __tsan_release(void *address) __attribute__((weak));
extern void __tsan_acquire(void *address) __attribute__((weak));

static inline void remindd_hand_over(void *work) {
    if (__tsan_release) __tsan_release(work);
}

static inline void remindd_take_over(void *work) {
    if (__tsan_acquire) __tsan_acquire(work);
}
