// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the program ends with. The numbers are stable; `docs/command-line.md` lists them for scripts.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Latchkey itself went wrong, or something it has no better number for.
    package static let malfunction = ExitStatus(rawValue: 1)
    /// Latchkey is locked.
    package static let locked = ExitStatus(rawValue: 3)
    /// The passphrase or recovery code is wrong or missing, or there were too many attempts.
    package static let authentication = ExitStatus(rawValue: 4)
    /// There is no such item, file or provider.
    package static let notFound = ExitStatus(rawValue: 5)
    /// The daemon says no, and says why.
    package static let refused = ExitStatus(rawValue: 6)
    /// `latchkey init` has not been run.
    package static let notInitialized = ExitStatus(rawValue: 7)
    /// The user said no.
    package static let canceled = ExitStatus(rawValue: 8)
    /// The name fits several items.
    package static let ambiguous = ExitStatus(rawValue: 9)
    /// Disk full, file damaged, no permission; nothing was changed.
    package static let storage = ExitStatus(rawValue: 10)
    /// No answer in time, too busy, or a provider that does not work. Trying again may help.
    package static let unavailable = ExitStatus(rawValue: 11)
    /// It would replace what is there.
    package static let alreadyExists = ExitStatus(rawValue: 12)
    /// Input that cannot be taken: a damaged CSV file, an item beyond the limits, passphrases that differ.
    package static let invalidInput = ExitStatus(rawValue: 13)
    /// Written by a newer version.
    package static let unsupportedVersion = ExitStatus(rawValue: 14)
    /// The command line is not right (`EX_USAGE` of sysexits.h).
    package static let usage = ExitStatus(rawValue: 64)
    /// Whoever reads the output went away (128 + SIGPIPE, as shells count).
    package static let brokenPipe = ExitStatus(rawValue: 141)
}
