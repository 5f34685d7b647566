// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ProviderTemplate {
    static let account = """
        import AuthenticationServices
        import FoundationEssentials

        /// A password and where it belongs.
        public struct Account: Codable, Equatable, Sendable {
            /// This provider's own name for it; Latchkey gives it back as the record identifier.
            public var identifier: String
            /// A host: shiny.example.com.
            public var site: String
            public var user: String
            public var password: String

            public init(site: String, user: String, password: String, identifier: String = UUID().uuidString) {
                self.identifier = identifier
                self.site = site
                self.user = user
                self.password = password
            }

            /// What Latchkey may know: everything but the password.
            public var identity: ASPasswordCredentialIdentity {
                ASPasswordCredentialIdentity(
                    serviceIdentifier: ASCredentialServiceIdentifier(identifier: site, type: .domain), user: user,
                    recordIdentifier: identifier)
            }
        }

        """

    static let accountList = """
        import AuthenticationServices
        import FoundationEssentials

        /// All accounts, sealed in the container that Latchkey keeps for this provider and for no other.
        public struct AccountList: Equatable, Sendable {
            public private(set) var accounts: [Account]

            public init(_ accounts: [Account] = []) {
                self.accounts = accounts
            }

            /// Replaces the password of an account that is there already.
            public mutating func add(_ account: Account) {
                if let place = accounts.firstIndex(where: { $0.site == account.site && $0.user == account.user }) {
                    accounts[place].password = account.password
                } else {
                    accounts.append(account)
                }
            }

            public func account(_ identifier: String?) -> Account? {
                accounts.first { $0.identifier == identifier }
            }

            /// Those that fit what the user signs in to first, then all others: the user may need any of them.
            public func sections(for services: [ASCredentialServiceIdentifier]) -> (fitting: [Account], others: [Account]) {
                let hosts = services.map { service in
                    service.type == .URL ? URL(string: service.identifier)?.host ?? "" : service.identifier
                }
                return (accounts.filter { hosts.contains($0.site) }, accounts.filter { !hosts.contains($0.site) })
            }

            private static let name = "accounts"

            public static func load() async throws -> AccountList {
                guard let secret = try await ProviderContainer.shared.secret(for: name) else { return AccountList() }
                return AccountList(try secret.withUnsafeBytes { try JSONDecoder().decode([Account].self, from: Data($0)) })
            }

            /// Keeps the accounts, and tells Latchkey what it may suggest.
            public func save() async throws {
                try await ProviderContainer.shared.set(JSONEncoder().encode(accounts), for: Self.name)
                try await report()
            }

            /// Tells Latchkey which accounts there are. While it is not enabled it does not want to know.
            public func report() async throws {
                let store = ASCredentialIdentityStore.shared
                guard await store.state().isEnabled else { return }
                try await store.replaceCredentialIdentities(with: accounts.map(\\.identity))
            }
        }

        """

    static let viewController = """
        import __NAME__Accounts
        import AuthenticationServices

        /// What Latchkey asks for credentials. There is one for each request.
        final class CredentialProviderViewController: ASCredentialProviderViewController {
            /// A suggestion was tapped. Nothing may be shown; where that is needed first, cancel with
            /// `.userInteractionRequired` and override `prepareInterfaceToProvideCredential(for:)`.
            override func provideCredentialWithoutUserInteraction(for identity: ASPasswordCredentialIdentity) {
                let identifier = identity.recordIdentifier
                load { controller, list in
                    guard let account = list.account(identifier) else {
                        let error = ASExtensionError(.credentialIdentityNotFound)
                        return controller.extensionContext.cancelRequest(withError: error)
                    }
                    controller.complete(with: account)
                }
            }

            /// The user wants to choose from all accounts.
            override func prepareCredentialList(for services: [ASCredentialServiceIdentifier]) {
                let view = ListView()
                self.view.addSubview(view)
                load { controller, list in
                    let sections = list.sections(for: services)
                    view.onSelect = { [weak controller] row in
                        guard let account = list.account(row.identifier) else { return }
                        controller?.complete(with: account)
                    }
                    view.sections = [
                        ListView.Section(title: "Suggested", rows: sections.fitting.map(Self.row)),
                        ListView.Section(title: "All", rows: sections.others.map(Self.row)),
                    ]
                }
            }

            /// The user wants to set the provider up.
            override func prepareInterfaceForExtensionConfiguration() {
                let site = TextField(label: "Site")
                let user = TextField(label: "User")
                let password = TextField(label: "Password", isSecure: true)
                let message = MessageView("Add an account.")
                for field in [message, site, user, password] { view.addSubview(field) }
                let add = ButtonView("Add") { [weak self] in
                    guard !site.text.isEmpty, !user.text.isEmpty, !password.text.isEmpty else {
                        message.text = "Something is missing."
                        return
                    }
                    let account = Account(site: site.text, user: user.text, password: password.text)
                    self?.load { controller, list in
                        var list = list
                        list.add(account)
                        controller.save(list) { message.text = "Added \\(account.user)." }
                    }
                }
                view.addSubview(add)
                let done = ButtonView("Done", style: .default) { [weak self] in
                    self?.extensionContext.completeExtensionConfigurationRequest()
                }
                view.addSubview(done)
            }

            private func complete(with account: Account) {
                let credential = ASPasswordCredential(user: account.user, password: account.password)
                extensionContext.completeRequest(withSelectedCredential: credential, completionHandler: nil)
            }

            private func load(_ then: @escaping @MainActor (CredentialProviderViewController, AccountList) -> Void) {
                Task {
                    do {
                        then(self, try await AccountList.load())
                    } catch {
                        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
                    }
                }
            }

            private func save(_ list: AccountList, _ then: @escaping @MainActor () -> Void) {
                Task {
                    do {
                        try await list.save()
                        then()
                    } catch {
                        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
                    }
                }
            }

            private static func row(_ account: Account) -> ListView.Row {
                ListView.Row(identifier: account.identifier, title: account.user, subtitle: account.site)
            }
        }

        """

    static let extensionMain = """
        import __NAME__Accounts
        import AuthenticationServices

        CredentialProviderExtension.main(
            { CredentialProviderViewController() }, name: "__NAME__", version: "0.1",
            prepare: { _ in
                // Latchkey may have lost what it knew: it is told anew with each start, off the way of the first request.
                Task { try? await AccountList.load().report() }
                return nil
            }
        )

        """

    static let app = """
        import __NAME__Accounts
        import AuthenticationServices
        import FoundationEssentials

        /// The app around the extension: what a password manager does when nobody signs in.
        @main
        enum __NAME__App {
            static func main() async {
                do {
                    try await run(Array(CommandLine.arguments.dropFirst()))
                } catch {
                    // The error says why, and holds no secret.
                    try? FileHandle.standardError.write(contentsOf: Data("__NAME__: \\(error)\\n".utf8))
                    exit(1)
                }
            }

            private static func run(_ arguments: [String]) async throws {
                switch arguments.first {
                case "list":
                    for account in try await AccountList.load().accounts { print("\\(account.site)\\t\\(account.user)") }
                case "add" where arguments.count == 3:
                    // Never an argument: every process of the machine can read those.
                    guard let password = readLine(), !password.isEmpty else { throw CocoaError(.userCancelled) }
                    var list = try await AccountList.load()
                    list.add(Account(site: arguments[1], user: arguments[2], password: password))
                    try await list.save()
                default: print("usage: __NAME__ list\\n       __NAME__ add SITE USER   (the password comes on standard input)")
                }
            }
        }

        """

    static let tests = """
        import AuthenticationServices
        import Testing

        @testable import __NAME__Accounts

        @Suite struct AccountListTests {
            private let shiny = Account(site: "shiny.example.com", user: "me", password: "one", identifier: "1")

            @Test func addingAgainReplacesThePassword() {
                var list = AccountList([shiny])
                list.add(Account(site: "shiny.example.com", user: "me", password: "two"))
                #expect(list.accounts.map(\\.password) == ["two"])
                #expect(list.account("1")?.password == "two")
                #expect(list.account(nil) == nil)
            }

            @Test func whatFitsComesFirst() {
                let list = AccountList([Account(site: "other.example", user: "you", password: "x"), shiny])
                let url = ASCredentialServiceIdentifier(identifier: "https://shiny.example.com/login", type: .URL)
                #expect(list.sections(for: [url]).fitting == [shiny])
                #expect(list.sections(for: []).others.count == 2)
            }

            @Test func anIdentityHoldsNoPassword() {
                let identity = shiny.identity
                #expect(identity.user == "me")
                #expect(identity.recordIdentifier == "1")
                #expect(identity.serviceIdentifier.identifier == "shiny.example.com")
            }
        }

        """
}
