// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the program ends with. The numbers are stable; `docs/command-line.md` lists them for scripts.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Latchkey itself went wrong, or something it has no better number for.
    static let malfunction = ExitStatus(rawValue: 1)
    /// Latchkey is locked.
    static let locked = ExitStatus(rawValue: 3)
    /// The passphrase or recovery code is wrong or missing, or there were too many attempts.
    static let authentication = ExitStatus(rawValue: 4)
    /// There is no such item, file or provider.
    static let notFound = ExitStatus(rawValue: 5)
    /// The daemon says no, and says why.
    static let refused = ExitStatus(rawValue: 6)
    /// `latchkey init` has not been run.
    static let notInitialized = ExitStatus(rawValue: 7)
    /// The user said no.
    static let canceled = ExitStatus(rawValue: 8)
    /// The name fits several items.
    static let ambiguous = ExitStatus(rawValue: 9)
    /// Disk full, file damaged, no permission; nothing was changed.
    static let storage = ExitStatus(rawValue: 10)
    /// No answer in time, too busy, or a provider that does not work. Trying again may help.
    static let unavailable = ExitStatus(rawValue: 11)
    /// It would replace what is there.
    static let alreadyExists = ExitStatus(rawValue: 12)
    /// Input that cannot be taken: a damaged CSV file, an item beyond the limits, passphrases that differ.
    static let invalidInput = ExitStatus(rawValue: 13)
    /// Written by a newer version.
    static let unsupportedVersion = ExitStatus(rawValue: 14)
    /// The command line is not right (`EX_USAGE` of sysexits.h).
    static let usage = ExitStatus(rawValue: 64)
    /// Whoever reads the output went away (128 + SIGPIPE, as shells count).
    static let brokenPipe = ExitStatus(rawValue: 141)
}
