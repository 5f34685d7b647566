// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What this installation can do: the names stand in `docs/protocol.md`, section 3.
enum Features {
    /// Nothing here depends on what is saved or set: a client is told the same whoever it is.
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
