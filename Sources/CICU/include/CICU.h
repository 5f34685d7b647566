// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// The few functions of ICU that are used, under names of our own: ICU's names carry its version, by macros that Swift does not
// see, so that naming them in Swift would bind the sources to one version.
#ifndef LATCHKEY_CICU_H
#define LATCHKEY_CICU_H

#include <stdint.h>

/// UTS #46 as the URL standard asks for it: non-transitional, with the rules for right-to-left labels and joiners. Null where
/// ICU has no data for it.
const void *latchkey_idna_open(void);

/// The ASCII form of a name; -1 when it has none. Hyphens may stand anywhere, as the URL standard has it (`CheckHyphens` is
/// false); an empty or overlong label is for the caller to find.
int32_t latchkey_idna_to_ascii(
    const void *idna, const char *name, int32_t length, char *ascii, int32_t capacity);

/// The Unicode form of a name; -1 when any of its labels has none.
int32_t latchkey_idna_to_unicode(
    const void *idna, const char *name, int32_t length, char *text, int32_t capacity);

/// A checker of UTS #39: highly restrictive, no invisible characters, no mixed numbers. Null where ICU has no data for it.
const void *latchkey_spoof_open(void);

/// Whether a label mixes scripts, hides characters, or has some that identifiers had better not have.
int latchkey_spoof_is_suspicious(const void *checker, const char *label, int32_t length);

/// The confusables skeleton of UTS #39; -1 when it does not fit.
int32_t latchkey_spoof_skeleton(
    const void *checker, const char *text, int32_t length, char *skeleton, int32_t capacity);

#endif
