// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillSecrets

/// An account that was found for the popup: of the built-in provider an item, of others the identities that belong together.
struct SavedAccount: Sendable {
    /// A part of an account that can be copied.
    enum Part: String, Sendable {
        case user, password, code
    }

    let provider: BundleIdentifier
    /// The provider's own name for it.
    let record: String?
    let user: String
    /// Its name where it has one of its own, else where it is for.
    let title: String
    /// By which its provider gives its password and its codes, one for each service.
    private var identities: [CredentialIdentity]
    /// The websites that it is for, as they were written.
    private var places: [String]
    private let isFavorite: Bool

    /// An item of the built-in provider.
    init(_ item: Item) {
        provider = .builtIn
        record = item.id
        user = item.user
        title = item.title ?? Self.name(item.place)
        places = item.services
        isFavorite = item.favorite == true
        let types =
            (item.hasPassword == false ? [] : [CredentialType.password])
            + (item.authenticator == true ? [.oneTimeCode] : [])
        // An item for no website has its title in the place of a service.
        let services = item.services.isEmpty ? [item.place] : item.services
        identities = types.flatMap { type in
            services.map {
                CredentialIdentity(
                    type: type, service: ServiceIdentifier(written: $0), user: item.user, recordIdentifier: item.id,
                    isStrict: item.strict == true)
            }
        }
    }

    private init(_ identity: CredentialIdentity, of provider: BundleIdentifier) {
        self.provider = provider
        record = identity.recordIdentifier
        user = identity.user
        title = Self.name(identity.service.value)
        identities = [identity]
        places = Self.places(of: identity)
        isFavorite = false
    }

    /// The accounts that a provider's identities stand for.
    static func all(in identities: [CredentialIdentity], of provider: BundleIdentifier) -> [SavedAccount] {
        var accounts: [SavedAccount] = []
        for identity in identities { add(identity, of: provider, to: &accounts) }
        return accounts
    }

    /// Adds an identity to the account that it belongs to, or as one of its own.
    static func add(_ identity: CredentialIdentity, of provider: BundleIdentifier, to accounts: inout [SavedAccount]) {
        // Passkeys are not offered.
        guard identity.type == .password || identity.type == .oneTimeCode else { return }
        let known = accounts.firstIndex { account in
            account.provider == provider && account.user == identity.user
                && account.record == identity.recordIdentifier
                && (identity.recordIdentifier != nil || account.services.contains(identity.service.value))
        }
        guard let known else { return accounts.append(SavedAccount(identity, of: provider)) }
        accounts[known].identities.append(identity)
        accounts[known].places += Self.places(of: identity).filter { !accounts[known].places.contains($0) }
    }

    var copies: [Part] {
        (user.isEmpty ? [] : [.user]) + (identities(ofCodes: false).isEmpty ? [] : [.password])
            + (identities(ofCodes: true).isEmpty ? [] : [.code])
    }

    private var services: [String] { identities.map(\.service.value) }

    /// An identity may be for an app, whose name reads like a host.
    private static func places(of identity: CredentialIdentity) -> [String] {
        identity.service.kind == .domain || identity.service.kind == .url ? [identity.service.value] : []
    }

    /// Its website; `nil` where it is for none.
    var url: String? {
        places.lazy.filter { Origin(written: $0) != nil }.map { $0.contains("://") ? $0 : "https://\($0)" }.first
    }

    /// The first place that it is for, which tells accounts of the same title apart.
    var place: String? { places.first.map(Self.name) }

    /// The identities by which it may be filled into a page.
    func fillable(asCode isCode: Bool) -> [CredentialIdentity] {
        identities(ofCodes: isCode).filter { places.contains($0.service.value) }
    }

    /// The identities of its password, or of its codes.
    func identities(ofCodes isCode: Bool) -> [CredentialIdentity] {
        identities.filter { ($0.type == .oneTimeCode) == isCode }
    }

    func rank(for search: String) -> SearchRank {
        SearchRank(of: [title] + places.map(Self.name), user: user, isFavorite: isFavorite, for: search)
    }

    private static func name(_ service: String) -> String { Origin(written: service)?.written ?? service }
}

/// The accounts that popups have been told of, by the names under which they ask for them.
struct FoundBook: Sendable {
    /// How many are kept for one connection; older ones end.
    private static let limit = 500

    private var accounts: [String: (connection: Int, account: SavedAccount)] = [:]
    private var handles: [Int: [String]] = [:]

    mutating func keep(_ account: SavedAccount, for connection: Int) -> String {
        let handle = RandomName.make()
        accounts[handle] = (connection, account)
        handles[connection, default: []].append(handle)
        if handles[connection, default: []].count > Self.limit {
            accounts[handles[connection, default: []].removeFirst()] = nil
        }
        return handle
    }

    func account(_ handle: String, of connection: Int) -> SavedAccount? {
        accounts[handle].flatMap { $0.connection == connection ? $0.account : nil }
    }

    mutating func forget(_ connection: Int) {
        for handle in handles.removeValue(forKey: connection) ?? [] { accounts[handle] = nil }
    }
}
