// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#ifndef LATCHKEY_WIPE_H
#define LATCHKEY_WIPE_H
/* Linking this target replaces `free` and `realloc`: see CWipe.c. There is nothing to call. */
#endif
