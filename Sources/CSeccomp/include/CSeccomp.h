// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#ifndef LATCHKEY_CSECCOMP_H
#define LATCHKEY_CSECCOMP_H

/* Whom a filter is for. */
enum latchkey_filter_kind {
    /* A credential provider that was given sockets: those of its mount and network namespace, and those of the internet
       protocols. */
    LATCHKEY_FILTER_PROVIDER,
    /* Any other provider, and a program of ours that speaks to the network: no Unix sockets but pairs of streams. */
    LATCHKEY_FILTER_NETWORK,
};

/* Makes a filter of system calls, compiled for `bwrap --seccomp`.

   Returns a descriptor of a sealed memory file, at its beginning, which stays open across exec; or the negative errno. */
int latchkey_filter(enum latchkey_filter_kind kind);

#endif
