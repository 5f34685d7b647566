// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* The native messaging host of a browser in a Flatpak, where the programs of Latchkey are not: says hello with what the
   browser said, then passes on what comes from either side, unread and unchanged.

     latchkey-browser-relay chrome-extension://IDENTIFIER/
     latchkey-browser-relay /PATH/OF/THE/MANIFEST.json IDENTIFIER      (Firefox)

   `latchkey browser install --flatpak` copies it into a folder that the sandbox sees. It is linked statically: a sandbox
   has other libraries than the system, and a program in it could have its own loaded into this one. What it says of itself counts for nothing: latchkeyd
   looks at the process, its sandbox and its parent. Status 64: not started by a browser; 1: no connection. */

#define _GNU_SOURCE

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int daemon_socket = -1;

__attribute__((noreturn, format(printf, 2, 3))) static void fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("latchkey-browser-relay: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

/* What the browser calls the extension, or NULL where no browser started this. */
static const char *extension_in(int count, char **arguments) {
    static const char origin[] = "chrome-extension://";
    const char *name = NULL;
    if (count >= 2 && strncmp(arguments[1], origin, sizeof origin - 1) == 0) name = arguments[1];
    else if (count >= 3 && arguments[1][0] == '/' && strncmp(arguments[2], origin, sizeof origin - 1) != 0) name = arguments[2];
    if (name == NULL || *name == '\0' || strlen(name) > 200) return NULL;
    /* All that either family has in a name; none of it has to be escaped in JSON. */
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/@{}";
    return name[strspn(name, known)] == '\0' ? name : NULL;
}

static int connect_to_daemon(void) {
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (runtime == NULL || *runtime != '/') fail(1, "XDG_RUNTIME_DIR is not set.");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/latchkey/browser/socket", runtime);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) fail(1, "The path of the socket is too long.");
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) fail(1, "No socket can be made: %s.", strerror(errno));
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0)
        fail(1, "Latchkey does not listen at %s: %s.", address.sun_path, strerror(errno));
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(made, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
        fail(1, "Another user listens at %s.", address.sun_path);
    return made;
}

/* Whether all of it was written. */
static int write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        bytes += written;
        count -= (size_t)written;
    }
    return 1;
}

/* Passwords go through here: nothing of them is left behind, or comes into the swap. */
static void pass_on(int source, int destination) {
    char bytes[1 << 14] = {0};
    mlock(bytes, sizeof bytes);
    for (;;) {
        ssize_t count = read(source, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR) continue;
        int is_over = count <= 0 || !write_all(destination, bytes, (size_t)count);
        explicit_bzero(bytes, sizeof bytes);
        if (is_over) return;
    }
}

static void *pass_on_to_daemon(void *unused) {
    (void)unused;
    pass_on(STDIN_FILENO, daemon_socket);
    exit(0);
}

int main(int count, char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    const char *extension = extension_in(count, arguments);
    if (extension == NULL) fail(64, "It is started by a browser, not by hand.");
    daemon_socket = connect_to_daemon();

    char hello[512];
    const uint32_t header = sizeof(uint32_t);
    int length = snprintf(
        hello + header, sizeof hello - header,
        "{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"hello\",\"params\":{\"protocol\":1,"
        "\"client\":{\"name\":\"latchkey-browser-relay\",\"version\":\"1\"},\"browser\":{\"extension\":\"%s\"}}}",
        extension);
    if (length < 0 || (size_t)length >= sizeof hello - header) fail(64, "The extension's name is too long.");
    memcpy(hello, &(uint32_t){(uint32_t)length}, header);
    if (!write_all(daemon_socket, hello, header + (uint32_t)length)) fail(1, "The connection broke.");

    /* The daemon has seen what program this is once it answers; nothing secret has come through yet. */
    char first;
    if (recv(daemon_socket, &first, 1, MSG_PEEK) != 1) exit(0);
    prctl(PR_SET_DUMPABLE, 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, pass_on_to_daemon, NULL) != 0) fail(1, "No thread can be made.");
    pass_on(daemon_socket, STDOUT_FILENO);
    exit(0);
}
