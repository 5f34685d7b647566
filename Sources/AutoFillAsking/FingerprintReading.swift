// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Recognises the user by a fingerprint reader.
package protocol FingerprintReading: Sendable {
    /// Waits for one finger of the user. A cancelled task stops the reader and returns `.stopped`.
    func verify() async -> FingerprintOutcome
}

/// What the reader found.
package enum FingerprintOutcome: Sendable {
    case matched
    /// A finger of somebody else, or one that is not enrolled.
    case notMatched
    case stopped
    /// There is no reader, no finger is enrolled, or another program uses the reader.
    case unavailable
}
