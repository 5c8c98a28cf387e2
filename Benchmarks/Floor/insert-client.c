/* The floor of a command line: one message to a Unix socket, one answer, out.
 *   insert-client SOCKET MESSAGE
 * Built static. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **arguments) {
    char reply[4096];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count != 3) return 64;
    strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    size_t length = strlen(arguments[2]) + 1;
    if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) return 69;
    if (write(server, arguments[2], length) != (ssize_t)length) return 74;
    return read(server, reply, sizeof reply) > 0 ? puts("#7 understood") < 0 : 74;
}
