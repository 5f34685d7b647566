// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the user has set about the app's own window. It protects nothing.
package protocol WindowSettings: Sendable {
    /// Whether the window comes back at a lock, and asks for the passphrase.
    var returnsAtLock: Bool { get }

    /// - Throws: An error when it cannot be written.
    func setReturnsAtLock(_ isOn: Bool) throws
}
