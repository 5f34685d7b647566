// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation
internal import PassStore

extension EntryRoute: CredentialManaging {
    /// So many items are on a page at most, and so many bytes of their texts.
    private static let pageLimit = (items: 200, bytes: 1 << 19)

    func items(matching search: String, removed: Bool, cursor: Int?) async throws -> CredentialItemPage {
        let all = try await managing { route in removed ? try await route.removedItems() : try route.presentItems() }
        let wanted = search.lowercased()
        let found = all.filter { item in
            wanted.isEmpty || (item.services + [item.user, item.id]).contains { $0.lowercased().contains(wanted) }
        }
        let start = cursor ?? 0
        guard start >= 0, start <= found.count else {
            throw CredentialManagingError(.notFound, "There is no such page.")
        }
        var page: [CredentialItem] = []
        var bytes = 0
        for item in found[start...] {
            bytes += (item.services + [item.user, item.id]).reduce(0) { $0 + $1.utf8.count }
            if !page.isEmpty, page.count == Self.pageLimit.items || bytes > Self.pageLimit.bytes { break }
            page.append(item)
        }
        let next = start + page.count
        return CredentialItemPage(items: page, cursor: next < found.count ? next : nil)
    }

    func item(_ id: String) async throws -> CredentialItem {
        try await managing { route in
            let name = try Self.name(id)
            let text = try await route.text(of: name).text
            var item = try route.presentItem(name)
            if text.notes.count > 0 { item.notes = SecretText(text.notes) }
            return item
        }
    }

    func password(of id: String) async throws -> SecretText {
        try await managing { route in SecretText(try await route.text(of: Self.name(id)).text.password) }
    }

    /// The passwords that the repository remembers and the keys still open, the last one first.
    func history(of id: String) async throws -> [PastPassword] {
        try await managing { route in
            let name = try Self.name(id)
            var last = try await route.text(of: name).text.password
            guard let repository = try route.repository(of: name.folders, in: route.store()) else { return [] }
            var past: [PastPassword] = []
            var until = Date()
            for file in try await repository.history(of: name) {
                defer { until = Date(timeIntervalSince1970: TimeInterval(file.since)) }
                guard let bytes = file.bytes,
                    case .opened(let opened) = try await route.gnupg.decrypt(
                        bytes, isAsking: false, limit: Self.quietLimit),
                    let password = try? EntryText(opened).password, password != last
                else { continue }
                past.append(PastPassword(until: until, password: SecretText(password)))
                last = password
            }
            return past
        }
    }

    /// There is none: the store is the user's own folder, and the copy that git makes of it is the better one.
    func snapshot() async throws -> String {
        throw CredentialManagingError(
            .storageFailed, "The password store is your own folder, which a backup of Latchkey does not contain.",
            hint: "Copy the folder, or use: pass git push"
        )
    }

    /// An entry decrypted for a request that the user made; gpg-agent may ask for the key.
    func text(of name: EntryName) async throws(PassStoreError) -> (ciphertext: [UInt8], text: EntryText) {
        let (ciphertext, opened) = try await open(name, isAsking: true, limit: Self.managingLimit)
        switch opened {
        case .text(let text): return (ciphertext, text)
        case .refused(let refusal): throw PassStoreError(refusal)
        }
    }

    func presentItem(_ name: EntryName) throws -> CredentialItem {
        guard let entry = try store().scan().entries.first(where: { $0.name == name }) else {
            throw CredentialManagingError(.notFound, "There is no such entry.")
        }
        return item(of: entry, known)
    }

    private func presentItems() throws -> [CredentialItem] {
        let (listing, knowledge) = try listing()
        return listing.entries.map { item(of: $0, knowledge) }
    }

    private func removedItems() async throws -> [CredentialItem] {
        let store = try store()
        let present = Set(try store.scan().entries.map(\.name))
        let entries = try await repository(of: [], in: store)?.removed() ?? trash?.entries() ?? []
        return entries.filter { !present.contains($0.name) }.map { removedItem($0) }
    }

    func removedItem(_ entry: RemovedEntry) -> CredentialItem {
        var item = item(of: StoreEntry(name: entry.name, modified: entry.removed), known)
        item.removed = item.modified
        return item
    }

    /// A store knows when a file was written and not when it was made. An entry without a service is shown by its name.
    private func item(of entry: StoreEntry, _ knowledge: EntryKnowledge) -> CredentialItem {
        let services = knowledge.services(of: entry.name).map(\.text)
        let modified = Date(timeIntervalSince1970: TimeInterval(entry.modified))
        return CredentialItem(
            id: entry.name.text, services: services.isEmpty ? [entry.name.text] : services,
            user: knowledge.user(of: entry.name) ?? "", created: modified, modified: modified
        )
    }

    /// Carries a request out, with the store's errors made the provider's.
    func managing<Value: Sendable>(
        _ body: @Sendable (isolated EntryRoute) async throws -> Value
    ) async throws -> Value {
        do {
            return try await body(self)
        } catch let error as PassStoreError {
            throw CredentialManagingError(error)
        }
    }

    static func name(_ id: String) throws -> EntryName {
        guard let name = EntryName(id) else { throw CredentialManagingError(.notFound, "There is no such entry.") }
        return name
    }
}

extension PassStoreError {
    /// A refusal of gpg's, where a request has no interface to show it in.
    init(_ refusal: DecryptionRefusal) {
        self.init(.program, refusal.sentence, hint: refusal.hint)
    }
}

extension CredentialManagingError {
    /// What the store says, as the provider says it.
    init(_ error: PassStoreError) {
        let code: Code =
            switch error.code {
            case .noEntry: .notFound
            case .invalid, .exists: .invalidItem
            case .changed: .busy
            default: .storageFailed
            }
        self.init(code, error.reason, hint: error.hint)
    }
}
