// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import TerminalRendering

/// Where a secret comes from: a file, standard input, or the person at the terminal. Never an argument, which every
/// process of the machine can read.
enum SecretSource: Equatable {
    case file(String)
    case standardInput
    case terminal

    /// The longest passphrase or password, in bytes.
    static let limit = 4096
    /// The longest notes, in bytes.
    static let notesLimit = 65_536

    /// A named file, or `-` for standard input; without one, standard input where it is not a terminal.
    init(file: String?, inputIsTerminal: Bool = isatty(STDIN_FILENO) == 1) {
        switch file {
        case "-": self = .standardInput
        case let path?: self = .file(path)
        case nil: self = inputIsTerminal ? .terminal : .standardInput
        }
    }

    /// Reads the secret, less exactly one line ending where it came from a file or a pipe.
    ///
    /// - Parameters:
    ///   - question: what the terminal shows.
    ///   - option: the name of the option that takes a file. The error names it where there is no terminal to ask on.
    ///   - isNew: whether the terminal asks twice.
    ///   - limit: how many bytes a file or a pipe may hold.
    ///   - check: throws for a secret that is refused, before the terminal asks for it again.
    func read(
        _ question: String, option: String = "--passphrase-file", isNew: Bool = false, limit: Int = Self.limit,
        check: (SecretBytes) throws(CommandFailure) -> Void = { _ in }
    ) throws(CommandFailure) -> SecretBytes {
        let secret: SecretBytes
        switch self {
        case .file(let path): secret = try Self.read(path, limit: limit)
        case .standardInput: secret = try Self.read(STDIN_FILENO, named: "standard input", limit: limit)
        case .terminal: return try Self.ask(question, option, isNew: isNew, check)
        }
        guard secret.count > 0 else {
            throw CommandFailure(.invalidInput, "\(question): \(name) is empty.")
        }
        try check(secret)
        return secret
    }

    /// A file of notes, with line endings as they are but for one at the end.
    static func notes(_ file: String) throws(CommandFailure) -> SecretBytes {
        file == "-"
            ? try read(STDIN_FILENO, named: "standard input", limit: notesLimit) : try read(file, limit: notesLimit)
    }

    private var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .terminal: "the terminal"
        }
    }

    private static func ask(
        _ question: String, _ option: String, isNew: Bool, _ check: (SecretBytes) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> SecretBytes {
        guard let prompt = SilentPrompt.open() else {
            throw CommandFailure(
                .authentication, "\(question) is required, and there is no terminal to ask on.",
                hint: "Pass \(option) FILE, or \(option) - for standard input.")
        }
        defer { prompt.close() }
        let secret = try prompt.ask(question)
        guard secret.count > 0 else { throw CommandFailure(.canceled, "Nothing was typed.") }
        guard secret.isText else { throw CommandFailure(.invalidInput, "The input is not UTF-8.") }
        try check(secret)
        if isNew {
            guard try prompt.ask(question + ", again") == secret else {
                throw CommandFailure(.invalidInput, "They do not match; try again.")
            }
        }
        return secret
    }

    private static func read(_ path: String, limit: Int) throws(CommandFailure) -> SecretBytes {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let reason = errno
            throw CommandFailure(
                reason == ENOENT ? .notFound : .storage,
                "\(path) cannot be read: \(String(cString: strerror(reason))).")
        }
        defer { close(file) }
        return try read(file, named: path, limit: limit)
    }

    private static func read(_ descriptor: Int32, named name: String, limit: Int) throws(CommandFailure)
        -> SecretBytes
    {
        let bytes: SecretBytes
        do {
            // Room for the line ending that is taken off.
            bytes = try Descriptor.readAll(descriptor, limit: limit + 2).trimmingOneFinalNewline()
        } catch {
            switch error {
            case .tooLong: throw CommandFailure(.invalidInput, "\(name) holds more than \(limit) bytes.")
            case .system(let reason):
                throw CommandFailure(.storage, "\(name) cannot be read: \(String(cString: strerror(reason))).")
            }
        }
        guard bytes.count <= limit else {
            throw CommandFailure(.invalidInput, "\(name) holds more than \(limit) bytes.")
        }
        guard bytes.isText else { throw CommandFailure(.invalidInput, "\(name) is not UTF-8 text.") }
        return bytes
    }
}
