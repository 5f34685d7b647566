// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// `latchkey login`
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Unlock when you log in to this computer.",
        discussion: """
            The password of your login opens Latchkey then, as well as the passphrase. It takes the package \
            libpam-latchkey, and `sudo pam-auth-update --enable latchkey` once. From then on what you saved is as \
            safe as your login password: whoever copies your home can guess at it.
            """, subcommands: [Enable.self, Disable.self, Status.self])

    /// `latchkey login enable`
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let the password of your login unlock Latchkey.",
            discussion:
                "When you change your login password with `passwd`, the new one unlocks. After somebody else has changed it, run this again."
        )

        @OptionGroup var passphrase: PassphraseOptions
        @Option(help: "Read the login password from a file, or from standard input (-).") var loginPasswordFile: String?

        func run() async throws {
            let sources = try SecretPair(
                passphrase.passphraseFile, option: "--passphrase-file", loginPasswordFile,
                option: "--login-password-file")
            let daemon = try await DaemonConnection.open()
            try await daemon.requireUnlocked()
            let password = try sources.second.read(
                "Password of your login", option: "--login-password-file", isNew: true)
            // Derived here, so that the daemon never has the password.
            let (salt, cost) = (LoginPassword.salt(), Argon2Cost.standard)
            let key: SecretBytes
            do {
                key = try LoginPassword.key(from: password, salt: salt, cost: cost)
            } catch {
                throw CommandFailure(.invalidInput, "No key can be derived: \((error as? SecretsError)?.reason ?? "").")
            }
            let params = Settings.EnableLogin.Params(
                key: WireSecret(key), salt: LoginPassword.text(ofSalt: salt), memoryKiB: cost.memoryKiB,
                iterations: cost.iterations, parallelism: cost.parallelism)
            _ = try await daemon.authenticated(Settings.EnableLogin.self, params, passphrase)
            Output.note("Your login password unlocks Latchkey from the next login on.")
            if let problem = LoginModule().problem { Output.note(problem) }
        }
    }

    /// `latchkey login disable`
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop unlocking at login.")

        func run() async throws {
            _ = try await DaemonConnection.open().call(Settings.DisableLogin.self)
            Output.note("Your login password no longer unlocks Latchkey.")
        }
    }

    /// `latchkey login status`
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say whether a login unlocks, and what is missing.")

        @Flag(help: "Print {login, module} as JSON.") var json = false

        func run() async throws {
            let status = try await DaemonConnection.open().call(Settings.Status.self)
            let state = status.login ?? "off"
            let module = LoginModule()
            if json {
                return Output.json(
                    .object([("login", .string(state)), ("module", .string(module.state.rawValue))]))
            }
            Output.line(LoginModule.sentence(state))
            if state != "off", let problem = module.problem { Output.line(problem) }
        }
    }
}
