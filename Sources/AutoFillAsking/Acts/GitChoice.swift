// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// An account that the user may choose for git.
package struct GitChoice: Sendable {
    package let subject: ActSubject
    /// The account as shown to the user.
    package let account: GitAccount
    /// The account's name in agreements.
    package let name: String
    /// Whether the account may be given to git without showing it to the user.
    package let isPlain: Bool
    /// Whether the choice takes the passphrase, too.
    package let wantsPassphrase: Bool

    package init(
        _ subject: ActSubject, account: GitAccount, name: String, isPlain: Bool, wantsPassphrase: Bool
    ) {
        self.subject = subject
        self.account = account
        self.name = name
        self.isPlain = isPlain
        self.wantsPassphrase = wantsPassphrase
    }
}
