// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that people choose passwords from, with how common each is.
#ifndef LATCHKEY_CCOMMONWORDS_H
#define LATCHKEY_CCOMMONWORDS_H

#include <stddef.h>

/// Lines `word rank`, each ended by a line feed, sorted by the bytes of the word.
///
/// A constant of the program; `size` is given the bytes of all lines.
const char *latchkey_common_words(size_t *size);

#endif
