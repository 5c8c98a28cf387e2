/* The floor of `remindctl add`: a server that does one durable SQLite insert a message.
 *   insert-server SOCKET DATABASE
 * Reads up to a NUL, inserts the text (WAL, synchronous=FULL), answers "{}" and a NUL. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void check(int good, const char *what) {
    if (!good) { perror(what); exit(71); }
}

int main(int count, char **arguments) {
    check(count == 3, "usage: insert-server SOCKET DATABASE");
    sqlite3 *database;
    sqlite3_stmt *insert;
    check(sqlite3_open(arguments[2], &database) == SQLITE_OK, "sqlite3_open");
    check(sqlite3_exec(database,
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE IF NOT EXISTS task(number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)",
        0, 0, 0) == SQLITE_OK, "schema");
    check(sqlite3_prepare_v2(database, "INSERT INTO task(text) VALUES(?)", -1, &insert, 0)
        == SQLITE_OK, "prepare");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(bind(listener, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    check(listen(listener, 64) == 0, "listen");
    for (;;) {
        char text[4096];
        size_t length = 0;
        int client = accept(listener, 0, 0);
        while (client >= 0 && length < sizeof text) {
            ssize_t got = read(client, text + length, sizeof text - length);
            if (got <= 0) break;
            length += got;
            if (text[length - 1] == 0) {
                sqlite3_bind_text(insert, 1, text, (int)length - 1, SQLITE_STATIC);
                check(sqlite3_step(insert) == SQLITE_DONE, "insert");
                sqlite3_reset(insert);
                check(write(client, "{}", 3) == 3, "reply");
                break;
            }
        }
        close(client);
    }
}
