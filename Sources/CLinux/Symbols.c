// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// For dladdr. Here it changes no type that Swift sees.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "latchkey_process.h"

int latchkey_place_of_symbol(const char *symbol, char *path, size_t size) {
    void *place = dlsym(RTLD_DEFAULT, symbol);
    Dl_info found;
    if (place == NULL || dladdr(place, &found) == 0 || found.dli_fname == NULL) return -1;
    size_t length = strlen(found.dli_fname);
    if (length >= size) return -1;
    memcpy(path, found.dli_fname, length + 1);
    return 0;
}
