// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// The few functions of ICU that are used, under names of our own: ICU's names carry its version, by macros that Swift does not
// see, so that naming them in Swift would bind the sources to one version.

#include "CICU.h"

#include <unicode/uidna.h>
#include <unicode/uspoof.h>

/// UTS #46 as the URL standard asks for it: non-transitional, with the rules for right-to-left labels and joiners. Null where
/// ICU has no data for it.
const void *latchkey_idna_open(void) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA *idna = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
        &status);
    return U_SUCCESS(status) ? idna : 0;
}

/// The ASCII form of a name; -1 when it has none. Hyphens may stand anywhere, as the URL standard has it (`CheckHyphens` is
/// false); an empty or overlong label is for the caller to find.
int32_t latchkey_idna_to_ascii(
    const void *idna, const char *name, int32_t length, char *ascii, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t count = uidna_nameToASCII_UTF8((const UIDNA *)idna, name, length, ascii, capacity, &info, &status);
    const uint32_t tolerated = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG
        | UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
    return U_SUCCESS(status) && count <= capacity && (info.errors & ~tolerated) == 0 ? count : -1;
}

/// The Unicode form of a name; -1 when any of its labels has none.
int32_t latchkey_idna_to_unicode(
    const void *idna, const char *name, int32_t length, char *text, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t count = uidna_nameToUnicodeUTF8((const UIDNA *)idna, name, length, text, capacity, &info, &status);
    const uint32_t tolerated = UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
    return U_SUCCESS(status) && count <= capacity && (info.errors & ~tolerated) == 0 ? count : -1;
}

/// A checker of UTS #39: highly restrictive, no invisible characters, no mixed numbers. Null where ICU has no data for it.
const void *latchkey_spoof_open(void) {
    UErrorCode status = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&status);
    if (U_FAILURE(status)) return 0;
    uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_MIXED_NUMBERS | USPOOF_CHAR_LIMIT, &status);
    uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    uspoof_setAllowedChars(checker, uspoof_getRecommendedSet(&status), &status);
    return U_SUCCESS(status) ? checker : 0;
}

/// Whether a label mixes scripts, hides characters, or has some that identifiers had better not have.
int latchkey_spoof_is_suspicious(const void *checker, const char *label, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t failed = uspoof_check2UTF8((const USpoofChecker *)checker, label, length, 0, &status);
    return U_FAILURE(status) || failed != 0;
}

/// The confusables skeleton of UTS #39; -1 when it does not fit.
int32_t latchkey_spoof_skeleton(
    const void *checker, const char *text, int32_t length, char *skeleton, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = uspoof_getSkeletonUTF8((const USpoofChecker *)checker, 0, text, length, skeleton, capacity, &status);
    return U_SUCCESS(status) && count <= capacity ? count : -1;
}
