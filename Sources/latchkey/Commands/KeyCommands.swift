// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// `latchkey init`
struct InitializeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Set Latchkey up: choose a passphrase and get a recovery code.",
        discussion: "The recovery code is shown this once. Write it down and keep it away from this computer.")

    @OptionGroup var passphrase: PassphraseOptions
    @Flag(help: "Print {recoveryCode} as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        try await daemon.requireReadableKeyring()
        guard !daemon.hello.initialized else {
            throw CommandFailure(
                .alreadyExists, "Latchkey is set up already.", hint: "`latchkey passphrase` changes the passphrase.")
        }
        if let missing = try await daemon.missingKeyring {
            throw CommandFailure(.alreadyExists, missing.message, hint: missing.hint)
        }
        let secret = try NewPassphrase.read(passphrase.source, option: "--passphrase-file")
        let answer = try await daemon.call(Settings.Initialize.self, .init(passphrase: WireSecret(secret)))
        try await RecoveryCodeNotice(code: answer.recoveryCode.bytes).show(json: json) {
            _ = try await daemon.call(Settings.RecoveryCodeShown.self)
        }
    }
}

/// `latchkey unlock`
struct UnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock with the passphrase, or with the PIN of this session.")

    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        try await daemon.requireInitialized()
        if !daemon.hello.locked { return Output.note("Latchkey is unlocked already.") }
        try await daemon.requireReadableKeyring()
        let question = await daemon.hasPIN ? "PIN or passphrase" : "Passphrase"
        let answer = try await daemon.prove(Settings.Unlock.self, passphrase) { try passphrase.read(question) }
        Output.note("Latchkey is unlocked.")
        guard let older = answer.older else { return }
        let notice = OlderNotice(older: older)
        guard passphrase.isInteractive else { return notice.show() }
        guard try TerminalQuestion.confirm(notice.lines, "Take all of it back?", insteadOfAsking: notice.command) else {
            return Output.note(notice.hint)
        }
        _ = try await daemon.call(Consents.TakeBack.self)
        Output.note(ConsentsTakeBackCommand.done)
    }
}

/// `latchkey lock`
struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock Latchkey.")

    func run() async throws {
        // A daemon that does not run holds no keys.
        if let daemon = try await DaemonConnection.openIfRunning() { _ = try await daemon.call(Settings.Lock.self) }
        Output.note("Latchkey is locked.")
    }
}

/// `latchkey pin`
struct PINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Use a PIN in place of the passphrase until you log out.",
        discussion: """
            The PIN is kept in memory alone, so the first unlock after a start takes the passphrase. It unlocks, and it \
            answers where Latchkey asks again because time has passed. What weakens a protection, lasts, or takes \
            everything along takes the passphrase. After three wrong tries the PIN is gone.
            """, subcommands: [Set.self, Remove.self])

    /// `latchkey pin set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set a PIN of six digits or more.")

        @OptionGroup var passphrase: PassphraseOptions
        @Option(help: "Read the PIN from a file, or from standard input (-).") var pinFile: String?

        func run() async throws {
            let sources = try SecretPair(
                passphrase.passphraseFile, option: "--passphrase-file", pinFile, option: "--pin-file")
            let daemon = try await DaemonConnection.open()
            try await daemon.requireUnlocked()
            let pin = try sources.second.read("New PIN", option: "--pin-file", isNew: true) {
                typed throws(CommandFailure) in
                do {
                    try SessionPIN.check(typed)
                } catch {
                    throw CommandFailure(
                        .invalidInput, "This cannot be the PIN: \((error as? SecretsError)?.reason ?? "").")
                }
            }
            _ = try await daemon.authenticated(Settings.SetPIN.self, .init(pin: WireSecret(pin)), passphrase)
            Output.note("The PIN unlocks Latchkey, and answers its everyday questions, until you log out.")
        }
    }

    /// `latchkey pin remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take the PIN away.")

        func run() async throws {
            // A daemon that does not run has no PIN.
            if let daemon = try await DaemonConnection.openIfRunning() {
                _ = try await daemon.call(Settings.ForgetPIN.self)
            }
            Output.note("There is no PIN any more.")
        }
    }
}

/// `latchkey passphrase`
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Change the passphrase.", subcommands: [Change.self],
        defaultSubcommand: Change.self)

    /// `latchkey passphrase change`
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change the passphrase.")

        @OptionGroup var passphrase: PassphraseOptions
        @Option(help: "Read the new passphrase from a file, or from standard input (-).")
        var newPassphraseFile: String?

        func run() async throws {
            let sources = try SecretPair(
                passphrase.passphraseFile, option: "--passphrase-file", newPassphraseFile,
                option: "--new-passphrase-file")
            let daemon = try await DaemonConnection.open()
            let old = try sources.first.read("Passphrase")
            let new = try NewPassphrase.read(sources.second, option: "--new-passphrase-file")
            _ = try await daemon.call(
                Settings.ChangePassphrase.self, .init(passphrase: WireSecret(old), newPassphrase: WireSecret(new)))
            Output.note("The passphrase is changed.")
        }
    }
}

/// `latchkey recover`
struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Set a new passphrase with the recovery code.",
        discussion: "A new recovery code is shown, once, and then the old one opens nothing more.")

    @Option(help: "Read the recovery code from a file, or from standard input (-).") var recoveryCodeFile: String?
    @Option(help: "Read the new passphrase from a file, or from standard input (-).") var newPassphraseFile: String?
    @Flag(help: "Print {recoveryCode} as JSON.") var json = false

    func run() async throws {
        let sources = try SecretPair(
            recoveryCodeFile, option: "--recovery-code-file", newPassphraseFile, option: "--new-passphrase-file")
        let daemon = try await DaemonConnection.open()
        let code = try sources.first.read("Recovery code", option: "--recovery-code-file")
        if sources.second == .terminal { try await Self.check(code, daemon) }
        let new = try NewPassphrase.read(sources.second, option: "--new-passphrase-file")
        let answer = try await daemon.call(
            Settings.Recover.self, .init(recoveryCode: WireSecret(code), newPassphrase: WireSecret(new)))
        try await RecoveryCodeNotice(code: answer.recoveryCode.bytes, replaces: true).show(json: json) {
            _ = try await daemon.call(Settings.RecoveryCodeShown.self)
        }
    }

    /// Has the daemon refuse a wrong code before anybody thinks of a new passphrase.
    ///
    /// The daemon checks the code and prepares a keyring under a random passphrase. It writes none before `recoveryCode.shown`, and the
    /// one that is prepared next takes its place.
    private static func check(_ code: SecretBytes, _ daemon: DaemonConnection) async throws {
        _ = try await daemon.call(
            Settings.Recover.self,
            .init(recoveryCode: WireSecret(code), newPassphrase: WireSecret(RecoveryCode.random().text)))
    }
}

/// `latchkey recovery-code`
struct RecoveryCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-code", abstract: "Make a new recovery code.", subcommands: [New.self],
        defaultSubcommand: New.self)

    /// `latchkey recovery-code new`
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a new recovery code in place of the one that you have.",
            discussion: "It takes the passphrase. The new code is shown, once, and then the old one opens nothing more."
        )

        @OptionGroup var passphrase: PassphraseOptions
        @Flag(help: "Print {recoveryCode} as JSON.") var json = false

        func run() async throws {
            let daemon = try await DaemonConnection.open()
            let secret = try passphrase.read("Passphrase")
            let answer = try await daemon.call(Settings.RenewRecoveryCode.self, .init(passphrase: WireSecret(secret)))
            try await RecoveryCodeNotice(code: answer.recoveryCode.bytes, replaces: true).show(json: json) {
                _ = try await daemon.call(Settings.RecoveryCodeShown.self)
            }
        }
    }
}
