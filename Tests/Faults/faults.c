// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
/* Counts the calls of a program that write below the test's folders, and has some of them fail. The test compiles it, and the
   loader puts it before the C library. What is to fail stands in a file that the test and the programs have mapped, so that the
   test can say at any moment that there is space again. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PROGRAMS = 2, NOTED = 4096, NOTE = 160 };

/* faults.py maps the same members. */
struct plan {
    uint32_t is_armed;      /* Calls are counted. */
    uint32_t program;       /* Whose calls fail: 0 the daemon's, 1 the provider's. */
    uint32_t first;         /* The number of the first call that fails, from 1; 0 for none. */
    uint32_t goes_on;       /* Later ones fail as well. */
    uint32_t error;         /* The errno. */
    uint32_t struck;        /* How many have failed. */
    uint32_t counts[PROGRAMS];
    char notes[PROGRAMS][NOTED][NOTE];
};

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static struct plan *plan;
static uint32_t program;
static char roots[4096];

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAULTS_PLAN"), *who = getenv("FAULTS_PROGRAM"), *below = getenv("FAULTS_ROOTS");
    if (!file || !who || !below) return;
    program = who[0] == '1';
    snprintf(roots, sizeof roots, "%s", below);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void *mapped = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (mapped != MAP_FAILED) plan = mapped;
    /* Programs that this one starts are none of the test's. */
    unsetenv("LD_PRELOAD");
}

static int is_below(const char *path) {
    for (const char *root = roots; *root;) {
        size_t length = strcspn(root, ":");
        if (!strncmp(path, root, length) && (path[length] == '/' || !path[length])) return 1;
        root += length + (root[length] == ':');
    }
    return 0;
}

static int path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, PATH_MAX - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return path[0] == '/';
}

/* Whether this call has to fail; errno is set then. What needs no space is counted, and fails for other reasons only. */
static int strikes(const char *call, const char *path, int needs_space) {
    if (!is_below(path)) return 0;
    uint32_t number = __atomic_add_fetch(&plan->counts[program], 1, __ATOMIC_SEQ_CST);
    if (number <= NOTED) snprintf(plan->notes[program][number - 1], NOTE, "%s %s", call, path);
    if (!plan->first || plan->program != program || (plan->error == ENOSPC && !needs_space)) return 0;
    if (plan->goes_on ? number < plan->first : number != plan->first) return 0;
    __atomic_add_fetch(&plan->struck, 1, __ATOMIC_SEQ_CST);
    errno = (int)plan->error;
    return 1;
}

static int fails(const char *call, int folder, const char *path, int needs_space) {
    if (!plan || !plan->is_armed || !path) return 0;
    int kept = errno;
    char whole[2 * PATH_MAX];
    if (path[0] == '/') {
        snprintf(whole, sizeof whole, "%s", path);
    } else {
        char start[PATH_MAX];
        if (folder == AT_FDCWD ? !getcwd(start, sizeof start) : !path_of(folder, start)) {
            errno = kept;
            return 0;
        }
        snprintf(whole, sizeof whole, "%s/%s", start, path);
    }
    if (strikes(call, whole, needs_space)) return 1;
    errno = kept;
    return 0;
}

static int fails_at(const char *call, int folder, const char *path) {
    return fails(call, folder, path, 1);
}

static int is_there(int folder, const char *path) {
    int kept = errno, found = !faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW);
    errno = kept;
    return found;
}

/* What the kernel refuses first (a file that is there already, or is not there) comes before a fault. */
static int fails_open(int folder, const char *path, int flags) {
    if (!plan || !plan->is_armed || !path || !(flags & WRITES)) return 0;
    int is_old = is_there(folder, path);
    if (is_old ? (flags & O_CREAT) && (flags & O_EXCL) : !(flags & O_CREAT)) return 0;
    return fails("open", folder, path, !is_old || (flags & O_TRUNC));
}

static int fails_mkdir(int folder, const char *path) {
    return plan && plan->is_armed && path && !is_there(folder, path) && fails_at("mkdir", folder, path);
}

static int fails_unlink(int folder, const char *path) {
    return plan && plan->is_armed && path && is_there(folder, path) && fails_at("unlink", folder, path);
}

static int fails_on(const char *call, int descriptor) {
    if (!plan || !plan->is_armed) return 0;
    int kept = errno;
    char path[PATH_MAX];
    if (path_of(descriptor, path) && strikes(call, path, 1)) return 1;
    errno = kept;
    return 0;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        MODE(flags) \
        REAL(int, name, const char *, int, ...); \
        return fails_open(AT_FDCWD, path, flags) ? -1 : real(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        MODE(flags) \
        REAL(int, name, int, const char *, int, ...); \
        return fails_open(folder, path, flags) ? -1 : real(folder, path, flags, mode); \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_2(name) \
    int name(const char *path, int flags) { \
        REAL(int, name, const char *, int); \
        return fails_open(AT_FDCWD, path, flags) ? -1 : real(path, flags); \
    }
OPENS_2(__open_2)
OPENS_2(__open64_2)

#define CREATES(name) \
    int name(const char *path, mode_t mode) { \
        REAL(int, name, const char *, mode_t); \
        return fails_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC) ? -1 : real(path, mode); \
    }
CREATES(creat)
CREATES(creat64)

#define OPENS_STREAM(name) \
    FILE *name(const char *path, const char *mode) { \
        REAL(FILE *, name, const char *, const char *); \
        return (mode[0] != 'r' || strchr(mode, '+')) && fails_at("open", AT_FDCWD, path) ? NULL : real(path, mode); \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

/* A call on a descriptor, which returns -1 where it fails. */
#define ON_FILE(type, name, call, parameters, types, ...) \
    type name parameters { \
        static type (*real) types; \
        if (!real) real = (type (*) types)dlsym(RTLD_NEXT, #name); \
        return fails_on(call, file) ? -1 : real(__VA_ARGS__); \
    }
ON_FILE(ssize_t, write, "write", (int file, const void *bytes, size_t count), (int, const void *, size_t), file, bytes, count)
ON_FILE(ssize_t, pwrite, "write", (int file, const void *bytes, size_t count, off_t at), (int, const void *, size_t, off_t), file, bytes, count, at)
ON_FILE(ssize_t, pwrite64, "write", (int file, const void *bytes, size_t count, off64_t at), (int, const void *, size_t, off64_t), file, bytes, count, at)
ON_FILE(ssize_t, writev, "write", (int file, const struct iovec *parts, int count), (int, const struct iovec *, int), file, parts, count)
ON_FILE(ssize_t, pwritev, "write", (int file, const struct iovec *parts, int count, off_t at), (int, const struct iovec *, int, off_t), file, parts, count, at)
ON_FILE(int, fsync, "sync", (int file), (int), file)
ON_FILE(int, fdatasync, "sync", (int file), (int), file)
ON_FILE(int, syncfs, "sync", (int file), (int), file)
ON_FILE(int, ftruncate, "truncate", (int file, off_t size), (int, off_t), file, size)
ON_FILE(int, ftruncate64, "truncate", (int file, off64_t size), (int, off64_t), file, size)
ON_FILE(int, fallocate, "allocate", (int file, int mode, off_t at, off_t count), (int, int, off_t, off_t), file, mode, at, count)
ON_FILE(int, fallocate64, "allocate", (int file, int mode, off64_t at, off64_t count), (int, int, off64_t, off64_t), file, mode, at, count)

/* The destination comes first or second here. */
ssize_t sendfile(int file, int from, off_t *at, size_t count) {
    REAL(ssize_t, sendfile, int, int, off_t *, size_t);
    return fails_on("write", file) ? -1 : real(file, from, at, count);
}

ssize_t sendfile64(int file, int from, off64_t *at, size_t count) {
    REAL(ssize_t, sendfile64, int, int, off64_t *, size_t);
    return fails_on("write", file) ? -1 : real(file, from, at, count);
}

ssize_t copy_file_range(int from, off64_t *at, int file, off64_t *to, size_t count, unsigned flags) {
    REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned);
    return fails_on("write", file) ? -1 : real(from, at, file, to, count, flags);
}

int posix_fallocate(int file, off_t at, off_t count) {
    REAL(int, posix_fallocate, int, off_t, off_t);
    return fails_on("allocate", file) ? errno : real(file, at, count);
}

int posix_fallocate64(int file, off64_t at, off64_t count) {
    REAL(int, posix_fallocate64, int, off64_t, off64_t);
    return fails_on("allocate", file) ? errno : real(file, at, count);
}

/* A call on one path. */
#define AT_PATH(name, call, parameters, types, ...) \
    int name parameters { \
        static int (*real) types; \
        if (!real) real = (int (*) types)dlsym(RTLD_NEXT, #name); \
        return fails_at(call, AT_FDCWD, path) ? -1 : real(__VA_ARGS__); \
    }
AT_PATH(truncate, "truncate", (const char *path, off_t size), (const char *, off_t), path, size)
AT_PATH(truncate64, "truncate", (const char *path, off64_t size), (const char *, off64_t), path, size)

#define UNLINKS(name) \
    int name(const char *path) { \
        REAL(int, name, const char *); \
        return fails_unlink(AT_FDCWD, path) ? -1 : real(path); \
    }
UNLINKS(unlink)
UNLINKS(remove)
UNLINKS(rmdir)

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    return fails_mkdir(AT_FDCWD, path) ? -1 : real(path, mode);
}

AT_PATH(mkstemp, "open", (char *path), (char *), path)
AT_PATH(mkstemp64, "open", (char *path), (char *), path)
AT_PATH(mkostemp, "open", (char *path, int flags), (char *, int), path, flags)

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    return fails_unlink(folder, path) ? -1 : real(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(int, mkdirat, int, const char *, mode_t);
    return fails_mkdir(folder, path) ? -1 : real(folder, path, mode);
}

/* The new name is the one that counts. */
int rename(const char *old, const char *path) {
    REAL(int, rename, const char *, const char *);
    return fails_at("rename", AT_FDCWD, path) ? -1 : real(old, path);
}

int renameat(int from, const char *old, int to, const char *path) {
    REAL(int, renameat, int, const char *, int, const char *);
    return fails_at("rename", to, path) ? -1 : real(from, old, to, path);
}

int renameat2(int from, const char *old, int to, const char *path, unsigned flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned);
    return fails_at("rename", to, path) ? -1 : real(from, old, to, path, flags);
}

int link(const char *old, const char *path) {
    REAL(int, link, const char *, const char *);
    return fails_at("link", AT_FDCWD, path) ? -1 : real(old, path);
}

int linkat(int from, const char *old, int to, const char *path, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    return fails_at("link", to, path) ? -1 : real(from, old, to, path, flags);
}

int symlink(const char *target, const char *path) {
    REAL(int, symlink, const char *, const char *);
    return fails_at("link", AT_FDCWD, path) ? -1 : real(target, path);
}

/* Latchkey exchanges two names by the number of the call. */
long syscall(long number, ...) {
    long words[6];
    va_list rest;
    va_start(rest, number);
    for (int place = 0; place < 6; place++) words[place] = va_arg(rest, long);
    va_end(rest);
    REAL(long, syscall, long, ...);
    if (number == SYS_renameat2 && fails_at("rename", (int)words[2], (const char *)words[3])) return -1;
    return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
