// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey providers enable PROVIDER`
struct ProvidersEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Let a provider fill, after showing what it asks for.",
        discussion: """
            What is enabled is the bundle that was shown: one that changes meanwhile, or later, has to be enabled again. On a \
            terminal its configuration follows, where it has one.
            """
    )

    @OptionGroup var arguments: ProviderArguments
    @Flag(help: "Do not ask; for scripts. What it asks for is printed all the same.") var yes = false
    @Flag(help: "Print the provider as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let provider = try await arguments.selection.resolve(daemon)
        try await Self.enable(provider, daemon, yes: yes, json: json, passphrase)
    }

    /// Asks the person, then the daemon, with the digest of what was shown.
    static func enable(
        _ provider: ProviderStatement,
        _ daemon: DaemonConnection,
        yes: Bool,
        json: Bool,
        _ passphrase: PassphraseOptions
    ) async throws {
        if provider.state == "enabled", provider.asksFor == nil {
            if json { return Output.json(ProviderListing.json(provider, order: nil)) }
            return Output.note("\(provider.name) is enabled already.")
        }
        if let refusal = EnableQuestion.refusal(of: provider) { throw refusal }
        let lines = EnableQuestion(provider: provider).lines
        if yes {
            for line in lines { Output.error(line + "\n") }
        } else {
            let isWanted = try TerminalQuestion.confirm(
                lines, "Enable it?", insteadOfAsking: "--yes, with --passphrase-file FILE,")
            guard isWanted else { throw CommandFailure(.canceled, "\(provider.name) was not enabled.") }
        }
        let params = Providers.Enable.Params(identifier: provider.identifier, digest: provider.digest ?? "")
        let enabled = try await daemon.authenticated(Providers.Enable.self, params, passphrase).provider
        if json { return Output.json(ProviderListing.json(enabled, order: nil)) }
        Output.note("\(enabled.name) is enabled.")
        guard enabled.showsConfiguration else { return }
        let hint = "`latchkey providers configure \(enabled.identifier)` sets it up."
        guard !yes, PassphraseOptions.isSomebodyThere else { return Output.note(hint) }
        do {
            try await configure(enabled, passphrase)
        } catch let error as WireError {
            // It is enabled, whatever becomes of this.
            if error.code != .userCanceled { Output.note("Its configuration was not shown: \(error.message)") }
            Output.note(hint)
        }
    }

    /// Shows the configuration of a provider that has just been enabled, as iOS does.
    private static func configure(_ provider: ProviderStatement, _ passphrase: PassphraseOptions) async throws {
        let desk = PromptDesk()
        let daemon = try await DaemonConnection.open(answering: desk)
        let conversation = await InterfaceConversation(daemon, desk, lines: false, passphrase)
        _ = try await conversation.run(Providers.Configure.self, .init(identifier: provider.identifier))
    }
}

/// `latchkey providers disable PROVIDER`
struct ProvidersDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Let a provider fill no longer. What it keeps itself stays.",
        discussion: "Its process ends, and what it offered is forgotten.")

    @OptionGroup var arguments: ProviderArguments
    @Flag(help: "Print the provider as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let provider = try await arguments.selection.resolve(daemon)
        let reference = ProviderReference(identifier: provider.identifier)
        let disabled = try await daemon.authenticated(Providers.Disable.self, reference, passphrase).provider
        if json { return Output.json(ProviderListing.json(disabled, order: nil)) }
        Output.note("\(disabled.name) is disabled.")
    }
}
