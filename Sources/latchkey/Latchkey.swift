// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Glibc
import TerminalRendering

/// The command line of Latchkey.
@main
struct Latchkey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latchkey",
        abstract: "Password AutoFill for Linux.",
        discussion: """
            Passphrases and passwords are asked for on the terminal, or read from a file or standard input; they are \
            never arguments. Every listing has --json. Exit statuses and the JSON are described in \
            docs/command-line.md.
            """,
        version: latchkeyVersion,
        groupedSubcommands: [
            CommandGroup(
                name: "Keys",
                subcommands: [
                    InitializeCommand.self, UnlockCommand.self, LockCommand.self, StatusCommand.self,
                    PassphraseCommand.self, PINCommand.self, LoginCommand.self, DesktopCommand.self,
                    RecoverCommand.self, RecoveryCodeCommand.self,
                ]
            ),
            CommandGroup(
                name: "Items",
                subcommands: [
                    AddCommand.self, ListCommand.self, DuplicatesCommand.self, ShowCommand.self, EditCommand.self,
                    RemoveCommand.self,
                    RestoreItemCommand.self, MoveCommand.self, ImportCommand.self,
                ]
            ),
            CommandGroup(
                name: "AutoFill",
                subcommands: [
                    SuggestionsCommand.self, ChooseCommand.self, AutoFillCommand.self, PreferencesCommand.self,
                    ProvidersCommand.self, AppsCommand.self, AssociationsCommand.self, MatchCommand.self,
                    ExplainCommand.self, ConsentsCommand.self, BrowserCommand.self, GitCommand.self, AuditCommand.self,
                ]
            ),
            CommandGroup(
                name: "Passwords and codes",
                subcommands: [
                    GenerateCommand.self, GeneratedCommand.self, UpgradeCommand.self, NeverCommand.self,
                    RulesCommand.self, CodeCommand.self, StrengthCommand.self, RecommendationsCommand.self,
                    ChangePasswordCommand.self,
                ]),
            CommandGroup(
                name: "Sites",
                subcommands: [FormsCommand.self, DoctorCommand.self]
            ),
            CommandGroup(
                name: "Upkeep",
                subcommands: [
                    QuirksCommand.self,
                    BackupCommand.self, RestoreCommand.self, ExportCommand.self, RepairCommand.self, DaemonCommand.self,
                    DemoCommand.self,
                    ClipboardHolderCommand.self,
                ]
            ),
        ]
    )

    /// What a person needs most, with what it does.
    private static let everyday = [
        ["latchkey list [WORDS]", "what is saved"],
        ["latchkey show NAME --copy", "put a password on the clipboard"],
        ["latchkey add SITE USER", "save a password; --generate makes one"],
        ["latchkey edit NAME --new-password", "change a password"],
        ["latchkey remove NAME", "remove an account; it can be brought back"],
        ["latchkey unlock", "unlock with your passphrase; `latchkey lock` locks again"],
        ["latchkey import FILE", "take over what a browser or password manager has exported"],
        ["latchkey browser install", "have browsers fill"],
        ["latchkey git install", "have git ask Latchkey"],
        ["latchkey backup FILE", "write everything into one encrypted file"],
        ["latchkey status", "how things stand"],
        ["latchkey help --all", "every command; `latchkey help COMMAND` says all about one"],
    ]

    private static func showEveryday() {
        for line in TextTable(rows: everyday).lines(forTerminal: true) { Output.line(line) }
    }

    /// Without a command: whether Latchkey is set up and locked, and the commands of every day.
    func run() async throws {
        let (new, locked) = (
            "Latchkey is not set up yet: `latchkey init`.", "Latchkey is locked: `latchkey unlock`."
        )
        let state =
            switch try await DaemonConnection.openIfRunning()?.hello {
            // A daemon that does not run holds no keys.
            case nil: access(try DaemonConnection.directories().data + "/keyring", F_OK) == 0 ? locked : new
            case let hello?: !hello.initialized ? new : hello.locked ? locked : "Latchkey is unlocked."
            }
        Output.line(state)
        Output.line("")
        Self.showEveryday()
    }

    /// Runs the command and ends the process with its status; see `ExitStatus`.
    static func main() async {
        // A reader that goes away is an error of `write`, which is answered with a status, not with a signal.
        signal(SIGPIPE, SIG_IGN)
        ClipboardHolder.prepareIfHolder(CommandLine.arguments)
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments == ["help"] {
                showEveryday()
                Glibc.exit(0)
            }
            var command = try parseAsRoot(arguments == ["help", "--all"] ? ["--help"] : arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            end(failure)
        } catch let error as WireError {
            end(CommandFailure(error))
        } catch is CancellationError {
            end(CommandFailure(.canceled, "Canceled."))
        } catch  where exitCode(for: error) == .validationFailure {
            end(CommandFailure(usage: message(for: error), helpLine: fullMessage(for: error)))
        } catch {
            // Help, the version, a completion script.
            exit(withError: error)
        }
        Glibc.exit(0)
    }

    private static func end(_ failure: CommandFailure) -> Never {
        Output.error(failure.lines)
        Glibc.exit(failure.status.rawValue)
    }
}
