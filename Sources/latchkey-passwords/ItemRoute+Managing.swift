// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillCredentials
internal import AutoFillSecrets
internal import AutoFillVault
internal import Foundation
internal import SecurityCodes

extension ItemRoute: CredentialManaging {
    /// The most items on a page, and the most bytes of their texts: half of what a message may have, since a text may take twice its bytes.
    private static let pageLimit = (items: 200, bytes: 1 << 19)

    /// What an item takes beside its texts.
    private static let pageItemBytes = 200

    func items(matching search: String, removed: Bool, cursor: Int?) throws -> CredentialItemPage {
        let start = cursor ?? 0
        // A first page is always fresh; only later ones may come from the listing that the first one made.
        if start == 0 { forgetListing() }
        let (all, unreadable) = try listing(search: search, removed: removed)
        guard start >= 0, start <= all.count else {
            throw CredentialManagingError(.notFound, "There is no such page.")
        }
        var page: [CredentialItem] = []
        var bytes = 0
        for item in all[start...] {
            let texts = item.services + (item.tags ?? []) + [item.user, item.title ?? ""]
            bytes += texts.reduce(Self.pageItemBytes) { $0 + $1.utf8.count + 4 }
            if !page.isEmpty, page.count == Self.pageLimit.items || bytes > Self.pageLimit.bytes { break }
            page.append(item)
        }
        let next = start + page.count
        return CredentialItemPage(items: page, cursor: next < all.count ? next : nil, unreadable: unreadable)
    }

    func item(_ id: String) throws -> CredentialItem {
        try reading { vault in
            var item = CredentialItem(try vault.item(id))
            let notes = try vault.notes(of: id)
            if !notes.isEmpty { item.notes = SecretText(notes) }
            return item
        }
    }

    func add(_ items: [NewCredentialItem]) async throws -> [CredentialItem] {
        let services = try items.map { try savable($0.services) }
        let links = try items.map { try $0.authenticator.map { try AuthenticatorKey($0.bytes).link } }
        return try await changing { vault in
            try vault.add(
                zip(items, zip(services, links)).map { item, read in
                    NewItem(
                        services: read.0,
                        user: item.user,
                        isStrict: item.isStrict,
                        password: item.password.bytes,
                        notes: item.notes?.unsafeString() ?? "",
                        authenticator: read.1,
                        isFavorite: item.isFavorite,
                        tags: item.tags,
                        title: item.title
                    )
                }
            )
        }
    }

    func edit(_ id: String, _ changes: CredentialItemChanges) async throws -> CredentialItem {
        try await edit(id, changes, mayAddSites: true)
    }

    /// Changes an item from the window, which must not give it a site that it does not have at this very moment: another program may have
    /// taken one away since the window was opened.
    func editWithoutNewSites(_ id: String, _ changes: CredentialItemChanges) async throws -> CredentialItem {
        try await edit(id, changes, mayAddSites: false)
    }

    private func edit(
        _ id: String, _ changes: CredentialItemChanges, mayAddSites: Bool
    ) async throws -> CredentialItem {
        // An empty one takes the old one away.
        let link = try changes.authenticator.map {
            $0.bytes.count == 0 ? $0.bytes : try AuthenticatorKey($0.bytes).link
        }
        return try await one {
            try await changing(id) { [self] vault in
                let services = try vault.item(id).services
                let wanted = try changes.services.map { try savable($0, besides: services) }
                let changed = ItemChanges(
                    services: wanted,
                    user: changes.user,
                    isStrict: changes.isStrict,
                    password: changes.password?.bytes,
                    notes: changes.notes?.unsafeString(),
                    authenticator: link,
                    isFavorite: changes.isFavorite,
                    tags: changes.tags,
                    title: changes.title,
                    pastPassword: changes.pastPassword?.bytes
                )
                guard mayAddSites || (wanted ?? []).allSatisfy(services.contains) else {
                    throw CredentialManagingError.newSite
                }
                guard mayAddSites || wanted?.isEmpty != true || services.isEmpty else {
                    throw CredentialManagingError(.invalidItem, "An account needs at least one site.")
                }
                return [try vault.edit(id, changed)]
            }
        }
    }

    func remove(_ id: String) async throws -> CredentialItem {
        try await one {
            try await changing(id) { vault in
                try vault.remove(id)
                return [try vault.item(id)]
            }
        }
    }

    func restore(_ id: String) async throws -> CredentialItem {
        try await one {
            try await changing(id) { vault in [try vault.restore(id)] }
        }
    }

    func password(of id: String) throws -> SecretText {
        try reading { SecretText(try $0.password(of: id)) }
    }

    func oneTimeCode(of id: String) throws -> CurrentOneTimeCode {
        try reading { vault in
            guard try vault.item(id).removed == nil, let link = try vault.authenticator(of: id),
                let code = try AuthenticatorKey(link).code(at: Int64(Date().timeIntervalSince1970))
            else { throw CredentialManagingError(.notFound, "The item has no authenticator.") }
            return CurrentOneTimeCode(
                code: SecretText(SecretBytes(utf8: code.text)), secondsLeft: Int(code.secondsLeft))
        }
    }

    func authenticator(of id: String) throws -> SecretText {
        try reading { vault in
            guard let link = try vault.authenticator(of: id) else {
                throw CredentialManagingError(.notFound, "The item has no authenticator.")
            }
            return SecretText(link)
        }
    }

    func history(of id: String) throws -> [PastPassword] {
        try reading { vault in
            try vault.history(of: id).reversed().map { PastPassword(until: $0.date, password: SecretText($0.password)) }
        }
    }

    func snapshot() throws -> String {
        let name = VaultLocation.newSnapshotName()
        try reading { vault in
            let container = URL(fileURLWithPath: vault.path).deletingLastPathComponent()
            try vault.snapshot(to: container.appendingPathComponent(name).path)
        }
        return name
    }

    func check() throws -> Int {
        try reading { vault in
            try vault.verify()
            return try vault.items().count
        }
    }

    private func one(_ change: () async throws -> [CredentialItem]) async throws -> CredentialItem {
        guard let item = try await change().first else {
            throw CredentialManagingError(.internalError, "The vault did not report its change.")
        }
        return item
    }

    /// The services as they are saved. What an item has already stays as it is.
    private nonisolated func savable(_ services: [String], besides old: [String] = []) throws -> [String] {
        try services.map { service in
            guard !old.contains(service) else { return service }
            let written = WrittenService(service)
            if let refusal = written.refusal {
                throw CredentialManagingError(.invalidItem, refusal.sentence, hint: refusal.hint)
            }
            return written.text
        }
    }
}

extension CredentialItem {
    init(_ item: VaultItem) {
        self.init(
            id: item.id,
            services: item.services,
            user: item.user,
            created: item.created,
            modified: item.modified,
            removed: item.removed,
            isStrict: item.isStrict,
            hasAuthenticator: item.hasAuthenticator,
            isFavorite: item.isFavorite,
            tags: item.tags,
            title: item.title.isEmpty ? nil : item.title,
            hasPassword: item.hasPassword
        )
    }
}

extension CredentialManagingError {
    /// Whoever draws the window could be somebody else than the user, and no passphrase is asked for there.
    static var newSite: CredentialManagingError {
        CredentialManagingError(.invalidItem, "A saved account can be given another site by `latchkey edit` alone.")
    }

    /// What the vault says, as the provider says it.
    init(_ error: any Error) {
        if let error = error as? CredentialManagingError {
            self = error
            return
        }
        guard let error = error as? VaultError else {
            self.init(.internalError, "The vault has a malfunction.")
            return
        }
        switch error.code {
        case .notFound: self.init(.notFound, "There is no such item: \(error.reason).")
        case .invalidItem: self.init(.invalidItem, "This item cannot be kept: \(error.reason).")
        case .busy: self.init(.busy, "The vault is in use by another process.", hint: "Try again.")
        case .tooNew:
            self.init(.unsupportedVersion, "The vault is too new: \(error.reason).", hint: "Update Latchkey.")
        case .wrongKey: self.init(.storageFailed, "The vault was sealed under another key.", hint: Self.restoreHint)
        case .damaged: self.init(.storageFailed, "The vault is damaged: \(error.reason).", hint: Self.repairHint)
        case .diskFull: self.init(.storageFailed, "The disk is full; nothing was changed.", hint: "Make room.")
        case .outcomeUnknown:
            self.init(
                .outcomeUnknown, "The disk failed while the change was written. It is not known whether it was kept.",
                hint: "Look before you try again: `latchkey list`.")
        default: self.init(.storageFailed, "The vault cannot be read or written: \(error.reason).")
        }
    }

    static let damagedVault = CredentialManagingError(
        .storageFailed, "The vault is damaged, so nothing can be changed in it.", hint: repairHint)

    private static let restoreHint = "Put a backup in its place: `latchkey restore FILE --replace`."
    private static let repairHint =
        "`latchkey restore FILE --replace` puts a backup in its place; `latchkey repair` keeps what can still be read."
}
