// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey providers paths PROVIDER`
struct ProvidersPathsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paths",
        abstract: "Tell a provider the path of a page when its list is opened.",
        discussion: """
            A provider is told the scheme, the host and the port of the page that its list is opened for. Some keep \
            several accounts for one host, by path. With this it is told the path as well, and never what stands \
            behind a ? or a #. Some sites put tokens into paths. --off has it told no path again.
            """
    )

    @OptionGroup var arguments: ProviderArguments
    @Flag(help: "Tell it no path again.") var off = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let provider = try await arguments.selection.resolve(daemon)
        guard !provider.builtIn else {
            throw CommandFailure(.refused, "\(provider.name) has no list that is opened for a page.")
        }
        let params = Providers.TellPaths.Params(identifier: provider.identifier, on: !off)
        _ = try await daemon.authenticated(Providers.TellPaths.self, params, passphrase)
        Output.note("\(provider.name) is told \(off ? "no path" : "the path") of a page from now on.")
    }
}
