// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey associations add APP DOMAIN`
struct AssociationsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Say that an app belongs to a domain. The site has to confirm it all the same.")

    @Argument(help: "The app: E5336VM85F.com.example.Shiny") var app: String
    @Argument(help: "The domain: shiny.example.com, '*.example.com', or a whole entry of an entitlement.")
    var domain: String
    @Flag(help: "Print {lines, apps, associations} as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        // One that was taken away takes the passphrase.
        let report = try await daemon.authenticated(
            Associations.Add.self, .init(app: app, domain: domain), passphrase)
        AssociationListing.show(report, json: json)
        Output.note("The domain was added; `latchkey associations list` shows how it stands.")
    }
}

/// `latchkey associations remove APP [DOMAIN]`
struct AssociationsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a domain away from an app, or all of them.",
        discussion: "What the app's own entitlement states stays taken away until it is added again.")

    @Argument(help: "The app: E5336VM85F.com.example.Shiny") var app: String
    @Argument(help: "The domain; without it, all of the app's.") var domain: String?

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let removed = try await daemon.call(Associations.Remove.self, .init(app: app, domain: domain)).removed
        Output.note("\(removed) domain\(removed == 1 ? " was" : "s were") taken away.")
    }
}

/// `latchkey associations developer-mode on|off`
struct AssociationsDeveloperModeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "developer-mode",
        abstract: "Let debug builds of apps ask their test servers, whatever the certificate.",
        discussion: "It concerns entries with ?mode=developer only. Turning it on needs the passphrase.")

    @Argument(help: "on or off; without it, the state is shown.") var state: AutoFillCommand.Switch?
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        guard let state else {
            let isOn = try await daemon.call(Associations.List.self, .init()).developerMode
            return Output.line(isOn ? "on" : "off")
        }
        _ = try await daemon.authenticated(Associations.SetDeveloperMode.self, .init(on: state == .on), passphrase)
        Output.note("Developer mode is \(state.rawValue).")
    }
}

/// `latchkey associations source direct|URL`
struct AssociationsSourceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "Ask sites themselves, or a content network that answers for them.",
        discussion: """
            With a network, BASE/a/v1/HOST is asked instead of HOST: sites do not see who asks, and the network does. Whoever \
            runs it can associate any app with any site; changing it needs the passphrase.
            """)

    @Argument(help: "direct, or the network's base: https://cdn.example.com. Without it, the source is shown.")
    var source: String?
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        guard let source else {
            return Output.line(TerminalText.escaped(try await daemon.call(Associations.List.self, .init()).source))
        }
        _ = try await daemon.authenticated(Associations.SetSource.self, .init(source: source), passphrase)
        Output.note(source == "direct" ? "Sites are asked themselves." : "\(source) answers for the sites.")
    }
}
