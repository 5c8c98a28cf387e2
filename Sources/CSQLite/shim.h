#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import. A null pointer would bind NULL, and Swift
   gives one for an empty buffer. */
static inline int remindd_bind_text(sqlite3_stmt *s, int i, const void *p, sqlite3_uint64 n) {
    return sqlite3_bind_text64(s, i, p ? (const char *)p : "", n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int remindd_bind_blob(sqlite3_stmt *s, int i, const void *p, sqlite3_uint64 n) {
    return sqlite3_bind_blob64(s, i, p ? p : "", n, SQLITE_TRANSIENT);
}

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int remindd_db_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

/* sqlite3_config is variadic, too. SQLITE_CONFIG_MEMSTATUS off: nobody asks how much memory SQLite has,
   which it would otherwise count at every allocation, behind a lock. Only before anything else of SQLite
   is called; does nothing afterwards (SQLITE_MISUSE). */
static inline int remindd_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
