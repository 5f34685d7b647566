// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import ShownText

/// Methods about providers, for the role settings (section 6).
public enum Providers {
    /// All providers found or known.
    public enum List: WireMethod {
        public static let name = "providers.list"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var providers: [ProviderStatement]
            public var isolation: IsolationStatement

            public init(providers: [ProviderStatement], isolation: IsolationStatement) {
                self.providers = providers
                self.isolation = isolation
            }
        }
    }

    /// Enables the provider as it was shown to the user.
    public enum Enable: WireMethod {
        public static let name = "providers.enable"
        public typealias Answer = ProviderAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var identifier: String
            public var digest: String

            public init(identifier: String, digest: String) {
                self.identifier = identifier
                self.digest = digest
            }
        }
    }

    /// Disables a provider: ends its process and removes its identities.
    public enum Disable: WireMethod {
        public static let name = "providers.disable"
        public typealias Params = ProviderReference
        public typealias Answer = ProviderAnswer
    }

    /// Sets the order in which enabled providers are asked.
    public enum Order: WireMethod {
        public static let name = "providers.order"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var identifiers: [String]

            public init(identifiers: [String]) {
                self.identifiers = identifiers
            }
        }
    }

    /// Copies a bundle into the user's own folder.
    public enum Install: WireMethod {
        public static let name = "providers.install"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var path: String

            public init(path: String) {
                self.path = path
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var providers: [ProviderStatement]

            public init(providers: [ProviderStatement]) {
                self.providers = providers
            }
        }
    }

    /// Removes one of the user's own bundles.
    public enum Remove: WireMethod {
        public static let name = "providers.remove"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var identifier: String
            public var deleteData: Bool?

            public init(identifier: String, deleteData: Bool? = nil) {
                self.identifier = identifier
                self.deleteData = deleteData
            }
        }
    }

    /// Shows a provider's configuration.
    public enum Configure: WireMethod {
        public static let name = "providers.configure"
        public typealias Params = ProviderReference
        public typealias Answer = Empty
    }

    /// Starts a debug build without isolation, and lets it wait for a debugger.
    public enum Debug: WireMethod {
        public static let name = "providers.debug"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var identifier: String
            public var on: Bool

            public init(identifier: String, on: Bool) {
                self.identifier = identifier
                self.on = on
            }
        }
    }

    /// Tells a provider the path of the page that its list is opened for, or only the page's origin.
    public enum TellPaths: WireMethod {
        public static let name = "providers.tellPaths"
        public typealias Params = Debug.Params
        public typealias Answer = Empty
    }

    /// A credential from a provider's own list, in the terminal.
    public enum ChooseCredential: WireMethod {
        public static let name = "credentials.choose"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var url: String
            public var provider: String

            public init(url: String, provider: String) {
                self.url = url
                self.provider = provider
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var user: String
            public var password: WireSecret

            public init(user: String, password: WireSecret) {
                self.user = user
                self.password = password
            }
        }
    }
}

/// A provider by its name.
public struct ProviderReference: Codable, Sendable, Equatable {
    public var identifier: String

    public init(identifier: String) {
        self.identifier = identifier
    }
}

/// A provider's identifier and its display name.
public struct ProviderName: Codable, Sendable, Equatable {
    public var identifier: String
    public var name: DisplayText

    public init(identifier: String, name: DisplayText) {
        self.identifier = identifier
        self.name = name
    }
}

/// One provider.
public struct ProviderAnswer: Codable, Sendable, Equatable {
    public var provider: ProviderStatement

    public init(provider: ProviderStatement) {
        self.provider = provider
    }
}

/// A provider as settings show it.
public struct ProviderStatement: Codable, Sendable, Equatable {
    public var identifier: String
    public var name: String
    public var version: String
    /// The bundle's folder, or the program's path for the built-in provider.
    public var path: String
    public var builtIn: Bool
    /// `enabled`, `disabled`, `changed`, `broken` or `missing`.
    public var state: String
    public var problem: String?
    /// SHA-256 of the bundle in hexadecimal; absent if it cannot be read.
    public var digest: String?
    public var running: Bool
    /// The number of identities it offers; absent if it is not enabled.
    public var identities: Int?
    /// A subset of `passwords`, `one-time-codes`, `passkeys`, `text`.
    public var provides: [String]
    public var showsConfiguration: Bool
    public var debug: Bool
    /// `bubblewrap` or `none`.
    public var isolation: String
    public var grants: GrantsStatement
    /// For an extension that changes how an app's accounts sign in; absent for credential providers.
    public var modification: ModificationStatement?
    /// Whether it is told the path of a page with its list; absent if it is not enabled.
    public var toldPaths: Bool?
    /// Whether it saves passwords that others give it; absent means `false`.
    public var savesPasswords: Bool?
    /// Whether it generates passwords; absent means `false`.
    public var generatesPasswords: Bool?
    /// What its bundle states beyond what the user has agreed to: words of `provides`, `saving` and `generating`; absent if there is none.
    public var asksFor: [String]?

    public init(
        identifier: String, name: String, version: String, path: String, builtIn: Bool, state: String,
        problem: String? = nil, digest: String? = nil, running: Bool, identities: Int? = nil, provides: [String],
        showsConfiguration: Bool, debug: Bool, isolation: String, grants: GrantsStatement,
        modification: ModificationStatement? = nil, toldPaths: Bool? = nil,
        savesPasswords: Bool? = nil, generatesPasswords: Bool? = nil, asksFor: [String]? = nil
    ) {
        self.generatesPasswords = generatesPasswords
        self.asksFor = asksFor
        self.savesPasswords = savesPasswords
        self.modification = modification
        self.toldPaths = toldPaths
        self.identifier = identifier
        self.name = name
        self.version = version
        self.path = path
        self.builtIn = builtIn
        self.state = state
        self.problem = problem
        self.digest = digest
        self.running = running
        self.identities = identities
        self.provides = provides
        self.showsConfiguration = showsConfiguration
        self.debug = debug
        self.isolation = isolation
        self.grants = grants
    }
}

extension ProviderStatement {
    /// What a person is told before it is enabled, one line each. What is of the bundle is as its author wrote it.
    package var enablingSentences: [String] {
        let does =
            provides + (savesPasswords == true ? ["saving"] : []) + (generatesPasswords == true ? ["generating"] : [])
        var lines =
            modification?.sentences
            ?? ["It learns which sites you sign in to with it."] + Self.sentences(doing: does)
        lines += grants.sentences
        if !grants.groups.isEmpty {
            lines.append("It shares a folder with others of: \(grants.groups.joined(separator: ", ")).")
        }
        if isolation == "none" {
            lines.append("It is not isolated: it can do whatever your own programs can do.")
        } else if grants.sentences.isEmpty {
            lines.append("It can use its own folder and nothing else.")
        }
        if debug { lines.append("It is a debug build: debuggers may look into it.") }
        if state == "changed" { lines.append("It has changed since you enabled it.") }
        if let asksFor {
            lines.append("You have not agreed to this before: " + Self.sentences(doing: asksFor).joined(separator: " "))
        }
        return lines
    }

    /// What a provider does, one sentence for each word of `provides`, `saving` and `generating`.
    package static func sentences(doing words: [String]) -> [String] {
        let known = [
            "passwords": "It fills passwords.", "one-time-codes": "It fills one-time codes.",
            "passkeys": "It fills passkeys.", "text": "It fills text.",
            "saving": "It is given passwords that you save.", "generating": "It makes new passwords.",
        ]
        let sentences = words.compactMap { known[$0] }
        return sentences.isEmpty ? ["It does nothing that this Latchkey knows."] : sentences
    }
}

/// The app whose accounts an extension changes, and the kinds of changes.
public struct ModificationStatement: Codable, Sendable, Equatable {
    /// The app's identifier.
    public var app: String
    /// The entries of the app's entitlement.
    public var domains: [String]
    /// A subset of `strong-password`, `sign-in-with-apple`.
    public var kinds: [String]
    /// The identity provider that a debug build uses instead of Apple; absent for Apple.
    public var issuer: String?

    public init(app: String, domains: [String], kinds: [String], issuer: String? = nil) {
        self.app = app
        self.domains = domains
        self.kinds = kinds
        self.issuer = issuer
    }
}

extension ModificationStatement {
    /// The extension's abilities for a question, one line each.
    public var sentences: [String] {
        let hosts = domains.prefix(4).map { String($0.prefix(64)) }
        let others = domains.count > hosts.count ? " and \(domains.count - hosts.count) more" : ""
        return [
            "It changes passwords of accounts of \(app).",
            hosts.isEmpty
                ? "It names no site, so Latchkey never uses it."
                : "It is given the old and the new password of an account of \(hosts.joined(separator: ", "))\(others), "
                    + "when you change a password with it.",
        ] + signIn
    }

    private var signIn: [String] {
        guard kinds.contains(Modification.signInWithApple) else { return [] }
        return [
            "It can switch an account to Sign in with Apple. For that it receives the password and your Apple identity for this app."
        ] + (issuer.map { ["It is a debug build: you sign in at \($0.prefix(128)) instead of at Apple."] } ?? [])
    }
}

/// The rights that a provider's entitlements request beyond its own container.
public struct GrantsStatement: Codable, Sendable, Equatable {
    /// Access to the internet, but not to this computer or its networks.
    public var network: Bool
    /// Hosts with their ports, `host:port`, that it can reach at any address.
    public var hosts: [String]
    public var folders: [FolderGrant]
    public var sockets: [String]
    public var groups: [String]

    public init(
        network: Bool = false, hosts: [String] = [], folders: [FolderGrant] = [], sockets: [String] = [],
        groups: [String] = []
    ) {
        self.network = network
        self.hosts = hosts
        self.folders = folders
        self.sockets = sockets
        self.groups = groups
    }

    /// The grants for a question, one line each, those first that let it do most; empty if none are requested.
    public var sentences: [String] {
        folders.filter(\.write).map { "It can read and change ~/\($0.path)." }
            + sockets.map { "It can talk to the program behind \($0)." }
            + hosts.map { "It can connect to \($0), even if it is on this computer or your network." }
            + (network ? ["It can use the internet, but reach nothing on this computer or your network."] : [])
            + folders.filter { !$0.write }.map { "It can read ~/\($0.path)." }
    }
}

/// A folder in the home, as a path relative to it.
public struct FolderGrant: Codable, Sendable, Equatable {
    public var path: String
    public var write: Bool

    public init(path: String, write: Bool) {
        self.path = path
        self.write = write
    }
}

/// Whether providers can be isolated on this system.
public struct IsolationStatement: Codable, Sendable, Equatable {
    public var available: Bool
    /// Why they cannot.
    public var reason: String?

    public init(available: Bool, reason: String? = nil) {
        self.available = available
        self.reason = reason
    }
}
