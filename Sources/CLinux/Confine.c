// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#include "latchkey_confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (number))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSE(number, error)                                  \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),       \
    ANSWER(SECCOMP_RET_ERRNO | (error))
#define ALLOW(number)                                          \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),       \
    ANSWER(SECCOMP_RET_ALLOW)

static int limit(int resource, rlim_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return errno;
    /* Never more than there was. */
    if (now.rlim_max < most) most = now.rlim_max;
    now.rlim_cur = most;
    now.rlim_max = most;
    return setrlimit(resource, &now) == 0 ? 0 : errno;
}

static int filter_calls(void) {
#ifdef ARCHITECTURE
    /* A list of what is refused, not of what is allowed: what the C library and an event loop call differs from one release
       to the next, and a refusal that comes too early would take updates away from people. It stands behind namespaces
       without files and sockets, not in their place. Where bubblewrap works, the filter of CSeccomp stands around this one;
       programs, which bubblewrap has to start, are what is refused here alone. */
    struct sock_filter program[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#if defined(__x86_64__)
        /* The x32 numbering of the same calls. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
        REFUSE(SYS_execve, EPERM),
        REFUSE(SYS_execveat, EPERM),
        REFUSE(SYS_ptrace, EPERM),
        REFUSE(SYS_process_vm_readv, EPERM),
        REFUSE(SYS_process_vm_writev, EPERM),
        REFUSE(SYS_add_key, EPERM),
        REFUSE(SYS_request_key, EPERM),
        REFUSE(SYS_keyctl, EPERM),
        REFUSE(SYS_bpf, EPERM),
        REFUSE(SYS_perf_event_open, EPERM),
        REFUSE(SYS_userfaultfd, EPERM),
        REFUSE(SYS_unshare, EPERM),
        REFUSE(SYS_setns, EPERM),
        REFUSE(SYS_mount, EPERM),
        REFUSE(425 /* io_uring_setup, whose requests no filter sees */, ENOSYS),
        REFUSE(426 /* io_uring_enter */, ENOSYS),
        REFUSE(427 /* io_uring_register */, ENOSYS),
        REFUSE(435 /* clone3, whose flags no filter sees */, ENOSYS),
        REFUSE(438 /* pidfd_getfd */, EPERM),
        /* The number of an ioctl, the flags of clone and the family of a socket stand in the lower half of an argument, and the
           kernel reads no more of it; both architectures are little-endian. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4),
        ARGUMENT(1),
        REFUSE(TIOCSTI, EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
        ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000000 /* CLONE_NEWUSER */, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
        ANSWER(SECCOMP_RET_ALLOW),
        ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 3),
        ARGUMENT(2),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0 /* NETLINK_ROUTE */, 0, 1),
        ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_ERRNO | EAFNOSUPPORT),
    };
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
#else
    return 0;
#endif
}

static int confine(void) {
    int failure;
    if ((failure = limit(RLIMIT_CORE, 0)) != 0) return failure;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    if ((failure = limit(RLIMIT_FSIZE, 0)) != 0) return failure;
    if ((failure = limit(RLIMIT_NOFILE, 128)) != 0) return failure;
    /* Address space is reserved in plenty by allocators, and costs nothing; what is written to is the second. */
    if ((failure = limit(RLIMIT_AS, (rlim_t)4 << 30)) != 0) return failure;
    if ((failure = limit(RLIMIT_DATA, (rlim_t)1 << 30)) != 0) return failure;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return filter_calls();
}

int latchkey_confine(void) {
    int failure = limit(RLIMIT_CPU, 120);
    return failure != 0 ? failure : confine();
}

int latchkey_confine_server(void) { return confine(); }

/* A second filter around the first: the strictest answer of all counts. The first has seen to the architecture. It names what a reader
   needs once its input and output are open; whatever is not named, the calls of newer kernels included, is refused. */
static int filter_everything(void) {
#ifdef ARCHITECTURE
    struct sock_filter program[] = {
        LOAD(nr),
        /* What is open already. */
        ALLOW(SYS_read),
        ALLOW(SYS_write),
        ALLOW(SYS_readv),
        ALLOW(SYS_writev),
        ALLOW(SYS_close),
        ALLOW(SYS_fstat),
        ALLOW(SYS_lseek),
        /* Memory. */
        ALLOW(SYS_brk),
        ALLOW(SYS_mmap),
        ALLOW(SYS_munmap),
        ALLOW(SYS_mremap),
        ALLOW(SYS_mprotect),
        ALLOW(SYS_madvise),
        /* Its own threads, time and chance. */
        ALLOW(SYS_futex),
        ALLOW(SYS_sched_yield),
        ALLOW(SYS_gettid),
        ALLOW(SYS_getpid),
        ALLOW(SYS_clock_gettime),
        ALLOW(SYS_clock_nanosleep),
        ALLOW(SYS_nanosleep),
        ALLOW(SYS_getrandom),
        ALLOW(SYS_restart_syscall),
        ALLOW(SYS_rt_sigaction),
        ALLOW(SYS_rt_sigprocmask),
        ALLOW(SYS_rt_sigreturn),
        ALLOW(SYS_sigaltstack),
        ALLOW(SYS_exit),
        ALLOW(SYS_exit_group),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
#else
    return 0;
#endif
}

int latchkey_confine_reader(void) {
    int failure = limit(RLIMIT_CPU, 10);
    if (failure == 0) failure = confine();
    return failure == 0 ? filter_everything() : failure;
}
