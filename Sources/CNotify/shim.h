#include <gio/gio.h>
#include <libnotify/notify.h>

/* `g_object_new` is variadic, and `notify_notification_new` cannot set `id`, which libnotify sends
   as `replaces_id`. */
static inline NotifyNotification *remindd_notification_new(const char *summary, const char *body,
                                                           guint32 replaces) {
    return (NotifyNotification *)g_object_new(NOTIFY_TYPE_NOTIFICATION, "summary", summary, "body",
                                              body, "id", (gint)replaces, NULL);
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
