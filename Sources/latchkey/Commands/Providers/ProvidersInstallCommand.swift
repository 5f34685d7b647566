// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Glibc
import TerminalRendering

/// `latchkey providers install PATH`
struct ProvidersInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Copy a provider to your own ones. It is not enabled yet.",
        discussion: "PATH is a bundle (NAME.appex), or an app's folder with bundles in its PlugIns folder."
    )

    @Argument(help: "The folder of the bundle or app.", completion: .directory) var path: String
    @Flag(help: "Enable what was installed, after asking.") var enable = false
    @Flag(help: "With --enable: do not ask.") var yes = false
    @Flag(help: "Print an array of providers as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        guard enable || !yes else { throw ValidationError("--yes answers the question of --enable.") }
        guard !enable || !json else { throw ValidationError("--json and --enable do not go together.") }
    }

    func run() async throws {
        let folder = FilePath.absolute(path)
        guard FilePath.isFolder(folder) else {
            throw CommandFailure(
                .notFound, "\(path) is not a folder.", hint: "Name the bundle (NAME.appex), or the app around it.")
        }
        let daemon = try await DaemonConnection.open()
        let params = Providers.Install.Params(path: folder)
        let installed = try await daemon.authenticated(Providers.Install.self, params, passphrase).providers
        if json { return Output.json(.array(installed.map { ProviderListing.json($0, order: nil) })) }
        for provider in installed {
            Output.note("Installed \(provider.name) \(provider.version) (\(provider.identifier)).")
            if enable {
                try await ProvidersEnableCommand.enable(provider, daemon, yes: yes, json: false, passphrase)
            } else {
                Output.note("`latchkey providers enable \(provider.identifier)` lets it fill.")
            }
        }
    }
}

/// `latchkey providers remove PROVIDER`
struct ProvidersRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a provider of your own. What it keeps stays unless told otherwise.")

    @OptionGroup var arguments: ProviderArguments
    @Flag(help: "Remove what it keeps too: its container, with everything that is saved in it.") var deleteData = false
    @Flag(help: "With --delete-data: do not ask.") var yes = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let provider = try await arguments.selection.resolve(daemon)
        if deleteData && !yes {
            let line = TerminalText.escaped(
                "Everything that \(provider.name) (\(provider.identifier)) keeps is deleted.")
            let isWanted = try TerminalQuestion.confirm([line], "Remove it?", insteadOfAsking: "--yes")
            guard isWanted else { throw CommandFailure(.canceled, "\(provider.name) was not removed.") }
        }
        let params = Providers.Remove.Params(identifier: provider.identifier, deleteData: deleteData)
        _ = try await daemon.authenticated(Providers.Remove.self, params, passphrase)
        Output.note("\(provider.name) is removed\(deleteData ? ", with what it kept" : "").")
    }
}

/// `latchkey providers debug PROVIDER`
struct ProvidersDebugCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "debug",
        abstract: "Have a debug build wait for a debugger when it starts.",
        discussion: """
            Only for a bundle whose entitlements have get-task-allow. It then starts without isolation and without a \
            time limit, is stopped (SIGSTOP) before it does anything, and its output is kept in its log. Attach with \
            `lldb -p` and continue; --off has it start as usual again.
            """
    )

    @OptionGroup var arguments: ProviderArguments
    @Flag(help: "Start it as usual again.") var off = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let provider = try await arguments.selection.resolve(daemon)
        guard off || provider.debug else {
            throw CommandFailure(
                .refused, "\(provider.name) is not a debug build.",
                hint: "Its entitlements need get-task-allow; see docs/writing-a-provider.md.")
        }
        let params = Providers.Debug.Params(identifier: provider.identifier, on: !off)
        _ = try await daemon.authenticated(Providers.Debug.self, params, passphrase)
        guard !off else { return }
        let log = try DaemonConnection.directories().state + "/\(provider.identifier).log"
        Output.note("\(provider.name) waits for a debugger from its next start; --off ends this.")
        Output.note("What it prints is kept in \(log).")
    }
}
