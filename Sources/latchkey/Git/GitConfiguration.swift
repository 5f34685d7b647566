// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import FoundationEssentials
import ShownText
import TerminalRendering

/// The user's own git configuration, through git itself: it knows where its files are and how they are written.
struct GitConfiguration {
    /// The helpers that git asks, one after the other.
    private static let key = "credential.helper"

    let git: String
    /// Of `git-credential-latchkey`.
    let program: String

    init(programFolder: String = DaemonConnector.programFolder) throws(CommandFailure) {
        let path = ProcessInfo.processInfo.environment["PATH"]
        guard let git = OtherProgram.find("git", path: path) else {
            throw CommandFailure(.notFound, "git is not installed.", hint: "Install git, then try again.")
        }
        self.git = git
        program = programFolder + "/git-credential-latchkey"
    }

    /// What stands in the configuration for this helper. Git hands it to a shell.
    var helper: String {
        let word = ShellWord.quoted(program)
        return word == program ? program : "!" + word
    }

    /// The helpers in the user's own configuration, in git's order.
    func helpers() throws(CommandFailure) -> [String] {
        let (status, output) = try run(["config", "--global", "--null", "--get-all", Self.key])
        // 1: there is none.
        if status == 1 { return [] }
        guard status == 0 else { throw Self.failure }
        return output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    func isOurs(_ helper: String) -> Bool {
        helper == self.helper || helper == program || helper == "latchkey"
            || (helper.hasSuffix("/git-credential-latchkey") && helper.hasPrefix("/"))
    }

    func add() throws(CommandFailure) {
        guard try run(["config", "--global", "--add", Self.key, helper]).status == 0 else { throw Self.failure }
    }

    /// Takes one value away, and leaves the others.
    func remove(_ helper: String) throws(CommandFailure) {
        guard try run(["config", "--global", "--fixed-value", "--unset-all", Self.key, helper]).status == 0 else {
            throw Self.failure
        }
    }

    func version() throws(CommandFailure) -> String {
        try run(["--version"]).output.split(separator: "\n").first.map(String.init) ?? "git"
    }

    private static let failure = CommandFailure(
        .storage, "Your git configuration cannot be read or written.",
        hint: "Run `git config --global --list` to see git's message.")

    private func run(_ arguments: [String]) throws(CommandFailure) -> (status: Int32, output: String) {
        guard let ended = OtherProgram.run(git, arguments, isOutputRead: true) else {
            throw CommandFailure(.malfunction, "\(git) cannot be started.")
        }
        return (ended.status, String(decoding: ended.output, as: UTF8.self))
    }
}
