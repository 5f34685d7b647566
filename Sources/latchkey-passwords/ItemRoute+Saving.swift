// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import AutoFillVault
internal import Foundation

/// A password that is to be saved, as the vault sees it.
struct PasswordToSave: Sendable {
    let service: ServiceText
    let user: String
    let password: SecretBytes
    let session: String
    let kind: String?

    init(_ request: ASSavePasswordRequest) {
        service = ServiceText(request.serviceIdentifier)
        user = request.credential.user
        password = SecretText(request.credential.password).bytes
        session = request.sessionID
        kind = request.passwordKind?.rawValue
    }
}

/// Saving what the user typed somewhere, or what was generated for it.
extension ItemRoute {
    /// What saving a password would change.
    enum SavePlan: Equatable {
        /// There is no item of the very place and user.
        case add
        /// An item of the very place and user has another password.
        case replace(id: String)
        /// An item has just this password.
        case known
    }

    /// What there is for the very place and the very user, and no other: a password is never replaced because of a name alone.
    func plan(for wanted: PasswordToSave) throws -> SavePlan {
        try reading { vault in
            let same = try vault.items().filter { item in
                item.removed == nil && item.user == wanted.user
                    && item.services.contains { ServiceText($0).isSamePlace(as: wanted.service) }
            }
            for item in same where try vault.password(of: item.id) == wanted.password { return .known }
            // Of several the one that was changed last: the others are older copies of it.
            return same.max { $0.modified < $1.modified }.map { .replace(id: $0.id) } ?? .add
        }
    }

    /// Carries a plan out; what waited to be saved with just this password has been.
    func save(_ wanted: PasswordToSave, by plan: SavePlan) async throws {
        switch plan {
        case .known: break
        case .replace(let id):
            _ = try await edit(id, CredentialItemChanges(password: SecretText(wanted.password)))
        case .add:
            _ = try await add([
                NewCredentialItem(
                    services: [wanted.service.saved], user: wanted.user, password: SecretText(wanted.password))
            ])
        }
        try reading { try $0.settlePending(service: wanted.service.saved, password: wanted.password) }
    }

    /// Keeps a generated password until it is saved, asking nobody.
    func keepPending(_ wanted: PasswordToSave) throws {
        try reading { vault in
            _ = try vault.keep(
                NewPendingPassword(
                    service: wanted.service.saved, user: wanted.user,
                    kind: wanted.kind ?? ASGeneratedPassword.Kind.strong.rawValue, session: wanted.session,
                    password: wanted.password))
        }
    }

    func pendingPasswords() throws -> [PendingCredential] {
        try reading { vault in
            try vault.pending().reversed().map { pending in
                PendingCredential(
                    id: pending.id, service: pending.service, user: pending.user,
                    kind: ASGeneratedPassword.Kind(pending.kind), created: pending.created)
            }
        }
    }

    func pendingPassword(of id: String) throws -> SecretText {
        try reading { vault in
            guard let found = try vault.pending().first(where: { $0.id == id }) else {
                throw CredentialManagingError(.notFound, "There is no such generated password.")
            }
            return SecretText(found.password)
        }
    }

    func removePendingPassword(_ id: String) throws {
        try reading { try $0.forgetPending(id) }
    }
}

extension ServiceText {
    /// Scheme, host and port, in lower case and with the port that the scheme implies.
    private var place: String {
        guard let parts = URLComponents(string: type == .URL ? text : "https://" + text), let host = parts.host else {
            return text.lowercased()
        }
        let scheme = (parts.scheme ?? "https").lowercased()
        let port = parts.port ?? (scheme == "http" ? 80 : 443)
        return "\(scheme)://\(host.lowercased()):\(port)"
    }

    /// Whether both name the same host, by the same scheme and port.
    func isSamePlace(as other: ServiceText) -> Bool { place == other.place }

    /// As a new item has it: a host where it is one of https on its own port, a URL without a path otherwise.
    var saved: String {
        guard type == .URL, let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host
        else { return text }
        if scheme.lowercased() == "https", parts.port == nil || parts.port == 443 { return host.lowercased() }
        return "\(scheme.lowercased())://\(host.lowercased())" + (parts.port.map { ":\($0)" } ?? "")
    }
}
