// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* Loaded into latchkey-login by a test: with each message that it sends, counts in all of its memory a text that LOOKED_FOR has with each
   byte's lowest bit turned, and adds the number to the file FOUND. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int count_in(const unsigned char *from, size_t size, const char *turned) {
    size_t length = strlen(turned);
    int found = 0;
    for (size_t place = 0; place + length <= size; place++) {
        size_t same = 0;
        while (same < length && (from[place + same] ^ 1) == (unsigned char)turned[same]) same++;
        found += same == length;
    }
    return found;
}

static int count_everywhere(void) {
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        char rights[8];
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || rights[0] != 'r' || rights[1] != 'w') continue;
        found += count_in((const unsigned char *)from, to - from, getenv("LOOKED_FOR"));
    }
    if (maps != NULL) fclose(maps);
    return found;
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    ssize_t (*real)(int, const struct msghdr *, int) = (ssize_t(*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
    FILE *found = fopen(getenv("FOUND"), "a");
    if (found != NULL) {
        fprintf(found, "%d\n", count_everywhere());
        fclose(found);
    }
    return real(file, message, flags);
}
