// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that people choose passwords from, with how common each is.
#ifndef LATCHKEY_CCOMMONWORDS_H
#define LATCHKEY_CCOMMONWORDS_H

#include <stddef.h>
#include <stdint.h>

/// Entries sorted by the bytes of the word: the word, then its rank as two bytes. The first of these is the rank's upper 7 bits
/// and 128, so that it ends the word, whose bytes are all less than that. The second is the lower 8 bits.
///
/// A constant of the program; `size` is given the bytes of all entries.
const unsigned char *latchkey_common_words(size_t *size);

/// Writes where each entry begins, at most `limit` of them, and returns how many.
size_t latchkey_common_word_starts(uint32_t *starts, size_t limit);

#endif
