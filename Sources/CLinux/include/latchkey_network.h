// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#ifndef LATCHKEY_NETWORK_H
#define LATCHKEY_NETWORK_H

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One descriptor that the other end sends, which closes on exec; -1 with errno, ENOTCONN where the other end is gone. */
static inline int latchkey_receive_descriptor(int channel) {
    char byte;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    ssize_t got;
    do got = recvmsg(channel, &message, 0x40000000 /* MSG_CMSG_CLOEXEC */);
    while (got < 0 && errno == EINTR);
    if (got < 0) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (got == 0 || header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != 1 /* SCM_RIGHTS */ ||
        header->cmsg_len != CMSG_LEN(sizeof(int))) {
        errno = ENOTCONN;
        return -1;
    }
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

/* Whether a descriptor is a socket that listens for TCP connections of IPv4. */
static inline int latchkey_is_listener(int descriptor) {
    int domain = 0, kind = 0, listens = 0;
    socklen_t size = sizeof(int);
    return getsockopt(descriptor, SOL_SOCKET, 39 /* SO_DOMAIN */, &domain, &size) == 0 && domain == AF_INET &&
           getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_STREAM &&
           getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 1;
}

/* The next connection: it closes on exec and blocks nobody; -1 with errno. */
static inline int latchkey_accept_nonblocking(int descriptor) {
    return (int)syscall(SYS_accept4, descriptor, NULL, NULL, 02000000 | 04000 /* SOCK_CLOEXEC, SOCK_NONBLOCK */);
}

/* A file in memory with these bytes, read from its beginning, that closes on exec; -1 with errno. */
static inline int latchkey_memory_file(const void *bytes, size_t count) {
    int file = (int)syscall(SYS_memfd_create, "latchkey", 1 /* MFD_CLOEXEC */);
    if (file < 0) return -1;
    size_t written = 0;
    while (written < count) {
        ssize_t got = write(file, (const char *)bytes + written, count - written);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            close(file);
            return -1;
        }
        written += (size_t)got;
    }
    if (lseek(file, 0, SEEK_SET) != 0) {
        close(file);
        return -1;
    }
    return file;
}

/* Whether packets for an address of the internet (4 or 16 bytes, network order) are for this computer itself, or for several:
   by what the kernel's routes say (rtnetlink(7), RTM_GETROUTE), which may name addresses that no interface has. 1 or 0, or -1 with
   errno where it cannot be asked. An address that no route leads to is not here. */
int latchkey_is_routed_here(const void *address, size_t count);

#endif
