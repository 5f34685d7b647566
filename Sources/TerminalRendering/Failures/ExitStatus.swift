// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The program's exit status. The numbers are stable; `docs/command-line.md` lists them for scripts.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Latchkey malfunctioned, or there is no more specific number.
    package static let malfunction = ExitStatus(rawValue: 1)
    /// Latchkey is locked.
    package static let locked = ExitStatus(rawValue: 3)
    /// The passphrase or recovery code is wrong or missing, or there were too many attempts.
    package static let authentication = ExitStatus(rawValue: 4)
    /// The item, file or provider does not exist.
    package static let notFound = ExitStatus(rawValue: 5)
    /// The daemon refused, and gave a reason.
    package static let refused = ExitStatus(rawValue: 6)
    /// `latchkey init` has not been run.
    package static let notInitialized = ExitStatus(rawValue: 7)
    /// The user refused.
    package static let canceled = ExitStatus(rawValue: 8)
    /// The name matches several items.
    package static let ambiguous = ExitStatus(rawValue: 9)
    /// The disk is full, a file is damaged, or permission is missing. Nothing was changed.
    package static let storage = ExitStatus(rawValue: 10)
    /// The daemon did not answer in time or is too busy, or a provider does not work. Trying again may help.
    package static let unavailable = ExitStatus(rawValue: 11)
    /// The command would replace something that exists.
    package static let alreadyExists = ExitStatus(rawValue: 12)
    /// The input is invalid: a damaged CSV file, an item beyond the limits, passphrases that differ.
    package static let invalidInput = ExitStatus(rawValue: 13)
    /// The data was written by a newer version.
    package static let unsupportedVersion = ExitStatus(rawValue: 14)
    /// The arguments are invalid (`EX_USAGE` of sysexits.h).
    package static let usage = ExitStatus(rawValue: 64)
    /// The reader of the output closed the pipe (128 + SIGPIPE, as shells report it).
    package static let brokenPipe = ExitStatus(rawValue: 141)
}
