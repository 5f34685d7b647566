// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Shiny, the service: accounts, pages, an API for its extension, and for tests an identity provider.
public struct ShinyService: Sendable {
    /// How it is set up.
    public struct Configuration: Sendable {
        /// Where accounts are kept; nothing keeps them in memory.
        public var file: URL?
        /// Which apps may be offered what was saved for this site.
        public var apps: [String]
        /// The identity provider's address, which tests need; nothing for a service without one.
        public var issuer: String?
        public var clientIdentifier: String
        public var returnURL: String
        /// Opens `/test/`.
        public var isForTests: Bool

        /// A configuration.
        public init(
            file: URL? = nil, apps: [String] = [], issuer: String? = nil, clientIdentifier: String = "",
            returnURL: String = "", isForTests: Bool = false
        ) {
            self.file = file
            self.apps = apps
            self.issuer = issuer
            self.clientIdentifier = clientIdentifier
            self.returnURL = returnURL
            self.isForTests = isForTests
        }
    }

    private let accounts: AccountBook
    private let issuer: Issuer?
    private let configuration: Configuration

    /// A service; throws where the accounts cannot be read.
    public init(_ configuration: Configuration) throws {
        accounts = try AccountBook(file: configuration.file)
        issuer = try configuration.issuer.map { name in
            try Issuer(
                name: name,
                client: .init(identifier: configuration.clientIdentifier, returnURL: configuration.returnURL))
        }
        self.configuration = configuration
    }

    /// Serves plain HTTP on this machine until the process is told to end; TLS is for the proxy before it.
    ///
    /// - Parameters:
    ///   - port: 0 for any.
    ///   - ready: Told the port once connections are taken.
    public func run(port: Int, ready: @escaping @Sendable (Int) -> Void) async throws {
        let router = Router()
        let trouble = Trouble()
        PageRoutes(accounts: accounts, rules: PasswordPolicy.standard.rules).add(to: router)
        APIRoutes(accounts: accounts, issuer: issuer, trouble: trouble).add(to: router)
        let association = try JSONEncoder().encode(["webcredentials": ["apps": configuration.apps]])
        router.get("/.well-known/apple-app-site-association") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: association)))
        }
        if let issuer { IssuerRoutes(issuer: issuer).add(to: router) }
        if configuration.isForTests {
            TestRoutes(accounts: accounts, trouble: trouble, issuer: issuer).add(to: router)
        }
        var logger = Logger(label: "shiny-accounts")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in ready(channel.localAddress?.port ?? port) }, logger: logger)
        try await application.runService()
    }
}
