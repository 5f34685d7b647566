// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey providers …`
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Choose which password managers fill, and in which order.",
        discussion: """
            A provider is named by its identifier (com.example.vault), or by its name where only one has it. \
            docs/writing-a-provider.md is for those who write one.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Use",
                subcommands: [
                    ProvidersListCommand.self, ProvidersInfoCommand.self, ProvidersEnableCommand.self,
                    ProvidersDisableCommand.self, ProvidersOrderCommand.self, ProvidersConfigureCommand.self,
                    ProvidersInstallCommand.self, ProvidersRemoveCommand.self, ProvidersPathsCommand.self,
                ]
            ),
            CommandGroup(
                name: "Write",
                subcommands: [ProvidersNewCommand.self, ProvidersTestCommand.self, ProvidersDebugCommand.self]
            ),
        ],
        defaultSubcommand: ProvidersListCommand.self
    )
}

/// The argument that names one provider.
struct ProviderArguments: ParsableArguments {
    @Argument(help: "The provider: its identifier, or its name where only one has it.") var provider: String

    var selection: ProviderSelection { ProviderSelection(text: provider) }
}

/// `latchkey providers list`
struct ProvidersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the providers that are found, in the order in which they are asked.")

    @Flag(help: "Print {providers, isolation} as JSON.") var json = false

    func run() async throws {
        let answer = try await DaemonConnection.open().call(Providers.List.self)
        if json { return Output.json(ProviderListing.json(answer)) }
        for line in ProviderListing.lines(answer.providers, forTerminal: Output.isTerminal) { Output.line(line) }
        if !answer.isolation.available {
            Output.note("Note: \(ProviderListing.sentence(answer.isolation)).")
        }
    }
}

/// `latchkey providers info PROVIDER`
struct ProvidersInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what is known of a provider, and what it may do.")

    @OptionGroup var arguments: ProviderArguments
    @Flag(help: "Print one object as JSON.") var json = false

    func run() async throws {
        let providers = try await DaemonConnection.open().call(Providers.List.self).providers
        let provider = try arguments.selection.resolve(providers)
        let order = ProviderListing.numbered(providers).first { $0.provider == provider }?.order
        if json { return Output.json(ProviderListing.json(provider, order: order)) }
        for line in TextTable(rows: ProviderListing.details(provider, order: order)).lines(forTerminal: true) {
            Output.line(line)
        }
    }
}

/// `latchkey providers order [PROVIDER …]`
struct ProvidersOrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Say which providers are asked first.",
        discussion: "Those that are not named follow in the order they had. Without names the order is shown.")

    @Argument(help: "Providers that are enabled, the first one first.") var providers: [String] = []
    @Flag(help: "Print an array of identifiers as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let all = try await daemon.call(Providers.List.self).providers
        let order = try all.order(putting: providers)
        if !providers.isEmpty {
            _ = try await daemon.authenticated(Providers.Order.self, .init(identifiers: order), passphrase)
        }
        if json { return Output.json(.strings(order)) }
        if providers.isEmpty {
            for identifier in order { Output.line(TerminalText.escaped(identifier)) }
        } else {
            Output.note("Providers are asked in this order: \(order.joined(separator: ", ")).")
        }
    }
}
