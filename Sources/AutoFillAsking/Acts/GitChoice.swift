// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// An account that the user may choose for git.
package struct GitChoice: Sendable {
    package let subject: ActSubject
    /// As it is shown.
    package let account: GitAccount
    /// The name under which agreements keep it.
    package let name: String
    /// Whether it may be given without the user's looking at it.
    package let isPlain: Bool

    package init(_ subject: ActSubject, account: GitAccount, name: String, isPlain: Bool) {
        self.subject = subject
        self.account = account
        self.name = name
        self.isPlain = isPlain
    }
}
