// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Every block of the heap is wiped when it is given back, in every program that links this target.
 *
 * Secrets of ours live in locked memory of their own, but what passes through libraries (a provider's `String`, the
 * plaintext that an AEAD returns, the buffers of the C library) lives on the heap for a moment. Nothing of it may still be
 * there after a lock. Both functions pass the work on to the C library's own allocator, so that blocks of either side
 * can be freed by the other.
 */
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <string.h>

#include "CWipe.h"

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);

void free(void *block) {
    if (block == NULL) return;
    /* free() keeps errno (POSIX.1-2024), and so does everything called here. */
    explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

void *realloc(void *block, size_t size) {
    if (block == NULL) return __libc_malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t old = malloc_usable_size(block);
    /* Growing in place cannot be asked for without the risk of an unwiped move, so only shrinking stays in place. */
    if (size <= old && size >= old / 2) return block;
    void *moved = __libc_malloc(size);
    if (moved == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(moved, block, old < size ? old : size);
    free(block);
    return moved;
}
