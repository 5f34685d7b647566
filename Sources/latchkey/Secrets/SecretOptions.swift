// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillSecrets
import Glibc
import TerminalRendering

/// `--passphrase-file`, for every command that may need the passphrase.
struct PassphraseOptions: ParsableArguments {
    @Option(help: "Read the passphrase from a file, or from standard input (-), less one final newline.")
    var passphraseFile: String?

    /// The passphrase of a command whose purpose is to take it.
    func read(_ question: String = "Passphrase") throws -> SecretBytes {
        try source.read(question)
    }

    /// The source of the passphrase.
    var source: SecretSource { SecretSource(file: passphraseFile) }

    /// The passphrase when the daemon turns out to need it. Standard input is left alone unless named: in a loop over a list
    /// it holds the list.
    func readOnDemand(_ question: String = "Passphrase") throws -> SecretBytes {
        try SecretSource(file: passphraseFile, inputIsTerminal: true).read(question)
    }

    /// Whether there is a person who can try again.
    var isInteractive: Bool {
        passphraseFile == nil && Self.isSomebodyThere
    }

    /// Whether standard input is a terminal.
    static var isSomebodyThere: Bool { isatty(STDIN_FILENO) == 1 }
}

/// Two secrets at once, of which at most one can come from standard input.
struct SecretPair {
    let first: SecretSource
    let second: SecretSource

    init(
        _ firstFile: String?,
        option firstOption: String,
        _ secondFile: String?,
        option secondOption: String,
        inputIsTerminal: Bool = isatty(STDIN_FILENO) == 1
    ) throws(CommandFailure) {
        let first = SecretSource(file: firstFile, inputIsTerminal: inputIsTerminal)
        let second = SecretSource(file: secondFile, inputIsTerminal: inputIsTerminal)
        guard first != .standardInput || second != .standardInput else {
            throw CommandFailure(
                .usage, "Two secrets cannot both come from standard input.",
                hint: "Name a file with \(firstOption), \(secondOption), or both.")
        }
        self.first = first
        self.second = second
    }
}
