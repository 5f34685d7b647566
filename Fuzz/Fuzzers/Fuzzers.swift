// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The fuzzers of this project.
enum Fuzzers {
    /// Every parser of bytes from outside.
    static let all: [Fuzzer] = [
        .message, .stream, .origin, .pair, .groups, .suffixes, .git, .tunnel, .networkPolicy, .keyring, .recoveryCode,
        .record, .registry,
        .backup, .auditLog, .vault, .identityStore, .quirks, .suffixList, .rules, .associationFile, .associationEntry,
        .assetLinks, .answer, .token,
        .html, .description, .codes, .mail, .breaches, .strength, .propertyList, .nestedPropertyList, .nestedJSON,
        .entitlements,
    ]
}
