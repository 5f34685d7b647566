// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#ifndef LATCHKEY_PROCESS_H
#define LATCHKEY_PROCESS_H

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif

/* Variadic or macro-only system calls that Swift cannot reach, and nothing else. */

struct latchkey_peer {
    int32_t process;
    uint32_t user;
    uint32_t group;
};

/* The C library declares this only together with types that Swift refuses. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Lets a program that is started keep no descriptor from a number on; 0 or an errno. */
static inline int latchkey_spawn_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

/* The kernel's word on who connected; -1 with errno on failure. */
static inline int latchkey_peer_credentials(int descriptor, struct latchkey_peer *peer) {
    struct { int32_t pid; uint32_t uid; uint32_t gid; } credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    peer->process = credentials.pid;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    return 0;
}

/* A descriptor of the peer's process: from the socket (Linux 6.5) or from its number; -1 with errno on failure. */
static inline int latchkey_peer_pidfd(int descriptor, int32_t process) {
    int pidfd = -1;
    socklen_t size = sizeof pidfd;
    if (getsockopt(descriptor, SOL_SOCKET, 77 /* SO_PEERPIDFD */, &pidfd, &size) == 0 && pidfd >= 0) return pidfd;
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/* Has the kernel say with all that comes who sent it (unix(7)); 0 or -1 with errno. */
static inline int latchkey_pass_sender(int descriptor) {
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, 76 /* SO_PASSPIDFD, Linux 6.5 */, &yes, sizeof yes);
    return setsockopt(descriptor, SOL_SOCKET, 16 /* SO_PASSCRED */, &yes, sizeof yes);
}

/* Whether the kernel says so already: 1 or 0. */
static inline int latchkey_passes_sender(int descriptor) {
    int is_set = 0;
    socklen_t size = sizeof is_set;
    return getsockopt(descriptor, SOL_SOCKET, 16 /* SO_PASSCRED */, &is_set, &size) == 0 && is_set;
}

/*
 * Waits for the next bytes, leaves them there, and says who sent them: 1, 0 at the end, -1 with errno. The process is 0 where
 * the kernel does not say. The caller closes the descriptor of the process, which is -1 where the kernel has none.
 */
static inline ssize_t latchkey_peek_sender(int descriptor, struct latchkey_peer *peer, int *pidfd) {
    char byte;
    union { char bytes[256]; struct cmsghdr aligned; } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct { int32_t pid; uint32_t uid; uint32_t gid; } credentials = {0, UINT32_MAX, UINT32_MAX};
    ssize_t count;
    *pidfd = -1;
    do count = recvmsg(descriptor, &message, MSG_PEEK | 0x40000000 /* MSG_CMSG_CLOEXEC */);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return count;
    for (struct cmsghdr *one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one)) {
        if (one->cmsg_level != SOL_SOCKET) continue;
        if (one->cmsg_type == 2 /* SCM_CREDENTIALS */ && one->cmsg_len >= CMSG_LEN(sizeof credentials))
            memcpy(&credentials, CMSG_DATA(one), sizeof credentials);
        if (one->cmsg_type == 4 /* SCM_PIDFD */ && one->cmsg_len >= CMSG_LEN(sizeof *pidfd))
            memcpy(pidfd, CMSG_DATA(one), sizeof *pidfd);
        if (one->cmsg_type == SCM_RIGHTS) {
            int count = (int)((one->cmsg_len - CMSG_LEN(0)) / sizeof(int)), unwanted;
            for (int index = 0; index < count; index++) {
                memcpy(&unwanted, CMSG_DATA(one) + index * sizeof unwanted, sizeof unwanted);
                close(unwanted);
            }
        }
    }
    peer->process = credentials.pid;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    return 1;
}

static inline int latchkey_pidfd_open(int32_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/* Both ends close on exec; 0 or -1 with errno. */
static inline int latchkey_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, 02000000 /* O_CLOEXEC */);
}

/* The next connection, which closes on exec; -1 with errno. */
static inline int latchkey_accept(int descriptor) {
    return (int)syscall(SYS_accept4, descriptor, NULL, NULL, 02000000 /* SOCK_CLOEXEC */);
}

/* Puts one path in another's place and the other way round, in one step; 0 or -1 with errno. */
static inline int latchkey_exchange(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, one, -100, other, 2 /* RENAME_EXCHANGE */);
}

/* No core dumps, no ptrace by other processes of the user; 0 or -1 with errno. */
static inline int latchkey_forbid_dumps(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* Takes the second part of the above back: debuggers of the same user may attach. */
static inline void latchkey_allow_debugger(void) {
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/* Writes the path of the library or program that holds a loaded symbol; 0, or -1 if none does or the path is too long. */
int latchkey_place_of_symbol(const char *symbol, char *path, size_t size);

/* The kernel kills this process when its parent ends. */
static inline int latchkey_die_with_parent(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

#endif
