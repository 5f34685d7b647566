// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CSeccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* A list of what is refused, not of what is allowed: providers are written in any language, and what their runtimes call
   differs from one release to the next. Paths are the mount namespace's job, abstract sockets the network namespace's;
   here stands what no namespace covers, and what makes the kernel's surface large. */

/* Refused as a privilege that is missing. */
static const int refused[] = {
    /* The kernel's keyrings: no namespace keeps the user's keys, Kerberos tickets among them, apart. */
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
    /* What of a file lies in memory tells which programs the user starts; putting it out of memory makes that exact. */
    SCMP_SYS(mincore), SCMP_SYS(fadvise64),
    /* Other processes' memory and descriptors. */
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp),
    /* Programs for the kernel, and its inner life. */
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(lookup_dcookie), SCMP_SYS(syslog),
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(create_module), SCMP_SYS(get_kernel_syms), SCMP_SYS(query_module),
    /* Namespaces and mounts. */
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at), SCMP_SYS(fanotify_init),
    /* The machine. */
    SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(reboot),
    SCMP_SYS(settimeofday), SCMP_SYS(stime), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),
    SCMP_SYS(vhangup), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(modify_ldt), SCMP_SYS(vm86), SCMP_SYS(vm86old),
    SCMP_SYS(uselib), SCMP_SYS(nfsservctl), SCMP_SYS(_sysctl),
};

/* Refused as calls of a newer kernel: a program that knows the older way takes it. */
static const int unknown[] = {
    /* Its requests are carried out by the kernel itself, past every filter. */
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    /* Its flags stand in memory, where no filter sees them. */
    SCMP_SYS(clone3),
    SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount),
    SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(quotactl_fd),
    /* It tells of each program that the user starts from a folder that is shown. */
    SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch),
    /* By their numbers, which are the same for all architectures: cachestat (as mincore), statmount, listmount, open_tree_attr. */
    451, 457, 458, 467,
};

#define WORD UINT64_C(0xFFFFFFFF)

/* The kernel reads the number of an ioctl as 32 bits; a filter that compared 64 would be passed with one bit above. */
static const uint64_t controls[] = {
    TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD,
};

/* What else a descriptor can be asked for: to be told of a folder's files by a signal (dnotify, the elder of inotify), and to hold
   up whoever opens a file. The kernel reads the number as 32 bits, too. */
#ifndef F_NOTIFY
#define F_NOTIFY 1026
#endif
#ifndef F_SETLEASE
#define F_SETLEASE 1024
#endif
static const uint64_t descriptor_controls[] = {F_NOTIFY, F_SETLEASE};

static int add_descriptor_controls(scmp_filter_ctx filter) {
    int failure = 0;
    for (size_t i = 0; i < sizeof descriptor_controls / sizeof *descriptor_controls && failure == 0; i++)
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
            SCMP_A1(SCMP_CMP_MASKED_EQ, WORD, descriptor_controls[i]));
    return failure;
}

static int add_namespaces(scmp_filter_ctx filter) {
    static const uint64_t spaces[] = {
        CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP,
    };
    int failure = 0;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces && failure == 0; i++)
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i]));
    return failure;
}

static int add_families(scmp_filter_ctx filter, enum latchkey_filter_kind kind) {
    static const int calls[] = {SCMP_SYS(socket), SCMP_SYS(socketpair)};
    int failure = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && failure == 0; i++) {
        /* One by one: everything that is not named below is refused, whatever the upper half of the word says. */
        for (uint64_t family = 0; family <= AF_NETLINK && failure == 0; family++) {
            if (family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
            if (family == AF_UNIX && (kind == LATCHKEY_FILTER_PROVIDER || calls[i] == SCMP_SYS(socketpair))) continue;
            failure = seccomp_rule_add(
                filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), calls[i], 1, SCMP_A0(SCMP_CMP_EQ, family));
        }
        if (failure == 0)
            failure = seccomp_rule_add(
                filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), calls[i], 1, SCMP_A0(SCMP_CMP_GT, AF_NETLINK));
        /* What finding a host's address asks the kernel: which addresses and routes there are. */
        if (failure == 0)
            failure = seccomp_rule_add(
                filter, SCMP_ACT_ERRNO(EPROTONOSUPPORT), calls[i], 2, SCMP_A0(SCMP_CMP_EQ, AF_NETLINK),
                SCMP_A2(SCMP_CMP_NE, NETLINK_ROUTE));
    }
    /* A pair of streams reaches nobody else; one for datagrams could send to any name (a raw one is the same in this family). */
    static const uint64_t kinds[] = {SOCK_DGRAM, SOCK_RAW};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && kind == LATCHKEY_FILTER_NETWORK && failure == 0; i++)
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPROTONOSUPPORT), SCMP_SYS(socketpair), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, 0xF, kinds[i]));
    return failure;
}

static int fill(scmp_filter_ctx filter, enum latchkey_filter_kind kind) {
    /* 32-bit calls, and those of x32, have other numbers; nothing here could be said of them. */
    int failure = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t i = 0; i < sizeof refused / sizeof *refused && failure == 0; i++) {
        /* Negative: a call that this architecture does not have. */
        if (refused[i] >= 0) failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown && failure == 0; i++) {
        if (unknown[i] >= 0) failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), unknown[i], 0);
    }
    for (size_t i = 0; i < sizeof controls / sizeof *controls && failure == 0; i++)
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, WORD, controls[i]));
    /* With flags, a read can ask whether the bytes lie in memory (RWF_NOWAIT). */
    if (failure == 0)
        failure = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EOPNOTSUPP), SCMP_SYS(preadv2), 1, SCMP_A5(SCMP_CMP_NE, 0));
    if (failure == 0) failure = add_descriptor_controls(filter);
    if (failure == 0) failure = add_namespaces(filter);
    if (failure == 0) failure = add_families(filter, kind);
    return failure;
}

int latchkey_filter(enum latchkey_filter_kind kind) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL) return -ENOMEM;
    int failure = fill(filter, kind);
    int file = -1;
    if (failure == 0) {
        file = memfd_create("latchkey-filter", MFD_ALLOW_SEALING);
        if (file < 0) failure = -errno;
    }
    if (failure == 0) failure = seccomp_export_bpf(filter, file);
    if (failure == 0 && lseek(file, 0, SEEK_SET) != 0) failure = -errno;
    if (failure == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) != 0)
        failure = -errno;
    seccomp_release(filter);
    if (failure != 0) {
        if (file >= 0) close(file);
        return failure;
    }
    return file;
}
