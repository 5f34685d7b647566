// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The features of this installation; `docs/protocol.md`, section 3, lists their names.
enum Features {
    /// The features with their versions. They depend neither on saved data nor on settings: every client gets the same answer.
    static let all: [String: Int] = [
        "accountUpgrades": 1,
        "appAuthorization": 1,
        "credentialProviders": 1,
        "git": 1,
        "messageCodes": 1,
        "passwordSuggestions": 1,
        "recommendations": 1,
        "saving": 1,
        "strongPasswords": 1,
        "webAuthentication": 1,
    ]
}
