// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// How a provider's interface is drawn.
struct InterfaceOptions: ParsableArguments {
    @Flag(help: "Ask line by line instead of drawing on the whole terminal; for screen readers.") var lines = false
}

/// `latchkey providers configure PROVIDER`
struct ProvidersConfigureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Show a provider's own configuration.",
        discussion: """
            The provider's interface is drawn here, under a line of Latchkey's that names it. From a pipe it is \
            answered line by line: the number of an element, then what to type; press Return to continue.
            """
    )

    @OptionGroup var arguments: ProviderArguments
    @OptionGroup var interface: InterfaceOptions
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let desk = PromptDesk()
        let daemon = try await DaemonConnection.open(answering: desk)
        let provider = try await arguments.selection.resolve(daemon)
        guard provider.state == "enabled" else {
            throw CommandFailure(
                .notFound, "\(provider.name) is not enabled.",
                hint: "`latchkey providers enable \(provider.identifier)` enables it.")
        }
        guard provider.showsConfiguration else {
            throw CommandFailure(.notFound, "\(provider.name) has no configuration to show.")
        }
        let conversation = await InterfaceConversation(daemon, desk, lines: interface.lines, passphrase)
        _ = try await conversation.run(Providers.Configure.self, .init(identifier: provider.identifier))
    }
}
