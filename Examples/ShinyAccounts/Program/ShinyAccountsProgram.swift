// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import ShinyAccounts

/// Shiny, the service, as a program.
@main
struct ShinyAccountsProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shiny-accounts", abstract: "Serves Shiny's accounts on this machine, without TLS.")

    @Option(help: "The port; 0 for any. The first line of output says which.") var port = 8_080
    @Option(help: "Where accounts are kept; in memory without it.") var accounts: String?
    @Option(help: "An app that belongs to this site, as PREFIX.bundle.identifier.") var app: [String] = []
    @Option(help: "The address of the identity provider, which is served too.") var issuer: String?
    @Option(help: "What the identity provider knows the app's maker as.") var clientIdentifier =
        "com.example.shiny.signin"
    @Option(help: "Where the identity provider answers.") var returnURL = "https://shiny.example.com/auth/return"
    @Flag(help: "Have what tests need: accounts with weak passwords, and trouble.") var forTests = false

    func run() async throws {
        let service = try ShinyService(
            .init(
                file: accounts.map { URL(fileURLWithPath: $0) }, apps: app, issuer: issuer,
                clientIdentifier: clientIdentifier, returnURL: returnURL, isForTests: forTests))
        try await service.run(port: port) { port in
            try? FileHandle.standardOutput.write(contentsOf: Data("\(port)\n".utf8))
        }
    }
}
