// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#ifndef LATCHKEY_CLINUX_H
#define LATCHKEY_CLINUX_H

// No _GNU_SOURCE in this module: it changes the C library's own types, and Swift refuses a module whose types differ
// from those of its Glibc module.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

// --- Secret memory (AutoFillSecrets) ---

// Overwrites memory in a way that the compiler may not leave out.
static inline void latchkey_wipe(void *memory, size_t count) {
    if (count > 0) explicit_bzero(memory, count);
}

// Whether two ranges are equal; its time depends on the count and on nothing else.
static inline int latchkey_equal(const void *a, const void *b, size_t count) {
    const volatile uint8_t *x = (const volatile uint8_t *)a, *y = (const volatile uint8_t *)b;
    uint8_t difference = 0;
    for (size_t i = 0; i < count; i++) difference |= x[i] ^ y[i];
    return difference == 0;
}

// Fills memory from the kernel's generator, waiting for its first seed. 0, or an errno.
static inline int latchkey_random(void *memory, size_t count) {
    uint8_t *next = (uint8_t *)memory;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        next += got;
        count -= (size_t)got;
    }
    return 0;
}

static inline size_t latchkey_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

// Maps zeroed pages for secrets, `count` (a multiple of the page size) between two pages that cannot be touched: absent
// from core dumps, empty in a forked child, and locked into memory where `*locked` asks for it and the limit allows it;
// `*locked` then says whether it is. NULL when memory is out.
static inline void *latchkey_map_secret(size_t count, int *locked) {
    size_t page = latchkey_page_size();
    int is_wanted = *locked;
    *locked = 0;
    if (count == 0 || count % page != 0 || count > SIZE_MAX - 2 * page) return NULL;
    uint8_t *whole = (uint8_t *)mmap(NULL, count + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == (uint8_t *)MAP_FAILED) return NULL;
    uint8_t *memory = whole + page;
    if (mprotect(memory, count, PROT_READ | PROT_WRITE) != 0) {
        munmap(whole, count + 2 * page);
        return NULL;
    }
    // Refused by old kernels only, and then nothing better is to be had.
    (void)madvise(memory, count, MADV_DONTDUMP);
    (void)madvise(memory, count, MADV_WIPEONFORK);
    *locked = is_wanted && mlock(memory, count) == 0;
    return memory;
}

// Wipes and unmaps what `latchkey_map_secret` gave; unmapping also unlocks.
static inline void latchkey_unmap_secret(void *memory, size_t count) {
    size_t page = latchkey_page_size();
    latchkey_wipe(memory, count);
    munmap((uint8_t *)memory - page, count + 2 * page);
}

// How many bytes this process may lock; SIZE_MAX without a limit.
static inline size_t latchkey_lock_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
    return limit.rlim_cur == RLIM_INFINITY ? SIZE_MAX : (size_t)limit.rlim_cur;
}

// Memory for Argon2: absent from core dumps, too large to lock; Argon2 wipes it before it hands it back. 0 or -1, which
// is what libargon2 asks of its allocator.
static inline int latchkey_argon2_allocate(uint8_t **memory, size_t count) {
    void *mapped = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return -1;
    (void)madvise(mapped, count, MADV_DONTDUMP);
    *memory = (uint8_t *)mapped;
    return 0;
}

static inline void latchkey_argon2_free(uint8_t *memory, size_t count) { munmap(memory, count); }

#endif
