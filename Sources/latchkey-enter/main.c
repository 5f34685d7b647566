// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* The last steps before a sandbox, and the first one in it, which have to be done by the process itself:

     latchkey-enter provider|network BWRAP ARGUMENT...
         joins an empty session keyring, makes the filter of system calls, and becomes `BWRAP --seccomp N ARGUMENT...`.
     latchkey-enter listen DESCRIPTOR PROGRAM ARGUMENT...
         inside: listens on a port of this network namespace's loopback, hands the listening socket to whoever is at the
         other end of the descriptor (latchkey-net), states the port in the variables for proxies, and becomes PROGRAM.
     latchkey-enter listen-at DESCRIPTOR PORT PROGRAM ARGUMENT...
         the same at a port that PROGRAM is told of in another way; no variable is set.

   It is started with every provider, so it is small and has no runtime. Status 126: a step failed, and nothing was started. */

#define _GNU_SOURCE

#include "CSeccomp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail(const char *step, int error) {
    fprintf(stderr, "latchkey-enter: %s: %s\n", step, strerror(error));
    return 126;
}

/* 0, or an errno. The keyring of the login session holds what programs of the session left there; one that is empty and
   has no name is nobody else's. */
static int leave_session_keyring(void) {
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0) return 0;
    /* No keyrings in this kernel, or a filter around all of Latchkey that refuses them: nothing below can read one either. */
    return errno == ENOSYS || errno == EPERM ? 0 : errno;
}

static int enter(enum latchkey_filter_kind kind, char **command, int count) {
    /* As bubblewrap does with --die-with-parent, which is too late for a parent that ends before it starts. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail("the parent cannot be watched", errno);
    int failure = leave_session_keyring();
    if (failure != 0) return fail("the session keyring cannot be left", failure);
    int filter = latchkey_filter(kind);
    if (filter < 0) return fail("the filter of system calls cannot be made", -filter);
    char number[16];
    snprintf(number, sizeof number, "%d", filter);
    char **arguments = calloc((size_t)count + 3, sizeof *arguments);
    if (arguments == NULL) return fail("no memory", ENOMEM);
    arguments[0] = command[0];
    arguments[1] = "--seccomp";
    arguments[2] = number;
    for (int i = 1; i < count; i++) arguments[i + 2] = command[i];
    execv(command[0], arguments);
    return fail(command[0], errno);
}

static int send_socket(int channel, int socket) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &socket, sizeof socket);
    ssize_t sent;
    do sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : errno;
}

static void state_proxy(int port) {
    char proxy[64];
    snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", port);
    static const char *const names[] = {
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) setenv(names[i], proxy, 1);
    unsetenv("no_proxy");
    unsetenv("NO_PROXY");
}

/* Port 0: any that is free, which the variables state. */
static int listen_and_run(int channel, uint16_t port, char **command) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        return fail("no port of the loopback can be had", errno);
    int failure = send_socket(channel, listener);
    if (failure != 0) return fail("the way to the network cannot be opened", failure);
    close(listener);
    close(channel);
    if (port == 0) state_proxy(ntohs(address.sin_port));
    execv(command[0], command);
    return fail(command[0], errno);
}

int main(int count, char **arguments) {
    if (count >= 3 && strcmp(arguments[1], "provider") == 0)
        return enter(LATCHKEY_FILTER_PROVIDER, arguments + 2, count - 2);
    if (count >= 3 && strcmp(arguments[1], "network") == 0)
        return enter(LATCHKEY_FILTER_NETWORK, arguments + 2, count - 2);
    if (count >= 4 && strcmp(arguments[1], "listen") == 0) {
        int channel = atoi(arguments[2]);
        if (channel >= 3) return listen_and_run(channel, 0, arguments + 3);
    }
    if (count >= 5 && strcmp(arguments[1], "listen-at") == 0) {
        int channel = atoi(arguments[2]);
        int port = atoi(arguments[3]);
        if (channel >= 3 && port > 0 && port <= UINT16_MAX)
            return listen_and_run(channel, (uint16_t)port, arguments + 4);
    }
    fprintf(stderr, "usage: latchkey-enter provider|network BWRAP ARGUMENT... | listen DESCRIPTOR PROGRAM ARGUMENT... |"
                    " listen-at DESCRIPTOR PORT PROGRAM ARGUMENT...\n");
    return 64;
}
