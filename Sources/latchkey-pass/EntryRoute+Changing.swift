// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation
internal import PassStore

/// Changes are made in this order: everything is encrypted; where there is a repository the commit is put together, which
/// nothing shows yet; the files are put in place; the branch is moved. What fails takes back what came before it.
extension EntryRoute {
    func add(_ items: [NewCredentialItem]) async throws -> [CredentialItem] {
        try await changing { route in
            let store = try route.store()
            let entries = try items.map { item in
                guard !item.isStrict else { throw Self.noStrictness }
                guard item.authenticator == nil else { throw Self.noAuthenticator }
                guard !item.isFavorite, item.tags.isEmpty else { throw Self.noLabels }
                return try NewEntry(
                    services: item.services, user: item.user, password: item.password.bytes, notes: item.notes?.bytes
                )
            }
            guard Set(entries.map { $0.name.text.lowercased() }).count == entries.count else {
                throw PassStoreError(.exists, "Two of the entries have the same service and user.")
            }
            var written: [(EntryName, [UInt8])] = []
            for entry in entries {
                guard (try? store.ciphertext(of: entry.name)) == nil else {
                    throw PassStoreError(.exists, "There is an entry \(entry.name.text) already.")
                }
                let recipients = try store.recipients(for: entry.name)
                written.append((entry.name, try await route.gnupg.encrypt(entry.text.bytes, to: recipients)))
            }
            try await route.write(written, in: store, "Add \(Self.names(entries.map(\.name))) with Latchkey.")
            for entry in entries { route.learn(entry.text, of: entry.name) }
            return try entries.map { try route.presentItem($0.name) }
        }
    }

    func edit(_ id: String, _ changes: CredentialItemChanges) async throws -> CredentialItem {
        try await changing { route in
            let name = try Self.name(id)
            let store = try route.store()
            let (old, text) = try await route.text(of: name)
            let changed = try text.changed(try Self.lines(changes, text, name))
            guard changed.bytes != text.bytes else { return try route.presentItem(name) }
            let new = try await route.gnupg.encrypt(changed.bytes, to: try store.recipients(for: name))
            let repository = route.repository(of: name.folders, in: store)
            let commit = try await repository?.prepare(
                [repository?.change(name, new)].compactMap { $0 }, message: "Edit \(name.text) with Latchkey.")
            try store.replace(old, with: new, in: name)
            if let repository, let commit {
                do {
                    try await repository.publish(commit)
                } catch {
                    try store.replace(new, with: old, in: name)
                    throw error
                }
            }
            route.learn(changed, of: name)
            return try route.presentItem(name)
        }
    }

    func remove(_ id: String) async throws -> CredentialItem {
        try await changing { route in
            let name = try Self.name(id)
            let store = try route.store()
            let old = try store.ciphertext(of: name)
            let removed = route.removedItem(RemovedEntry(name: name, removed: Int64(route.now().timeIntervalSince1970)))
            if let repository = route.repository(of: name.folders, in: store) {
                let commit = try await repository.prepare(
                    [repository.change(name, nil)], message: "Remove \(name.text) with Latchkey.")
                try store.remove(old, name)
                do {
                    try await repository.publish(commit)
                } catch {
                    try store.add(old, as: name)
                    throw error
                }
            } else {
                try route.trash?.keep(old, of: name, at: route.now())
                try store.remove(old, name)
            }
            return removed
        }
    }

    func restore(_ id: String) async throws -> CredentialItem {
        try await changing { route in
            let name = try Self.name(id)
            let store = try route.store()
            if let repository = route.repository(of: name.folders, in: store) {
                guard let bytes = try await repository.lastBeforeRemoval(of: name) else {
                    throw PassStoreError(.noEntry, "git does not remember such an entry.")
                }
                try await route.write([(name, bytes)], in: store, "Restore \(name.text) with Latchkey.")
            } else {
                guard let bytes = route.trash?.bytes(of: name) else {
                    throw PassStoreError(.noEntry, "There is no such entry that could be restored.")
                }
                try store.add(bytes, as: name)
                route.trash?.forget(name)
            }
            return try route.presentItem(name)
        }
    }

    /// Puts new files in place, all or none.
    private func write(
        _ files: [(EntryName, [UInt8])], in store: StoreFolder, _ message: String
    ) async throws {
        var groups: [String: (repository: GitRepository, changes: [GitRepository.Change])] = [:]
        for (name, bytes) in files {
            guard let repository = repository(of: name.folders, in: store) else { continue }
            groups[repository.folder, default: (repository, [])].changes.append(repository.change(name, bytes))
        }
        var commits: [(GitRepository, GitRepository.PreparedCommit)] = []
        for group in groups.values {
            commits.append((group.repository, try await group.repository.prepare(group.changes, message: message)))
        }
        var written: [(EntryName, [UInt8])] = []
        do {
            for (name, bytes) in files {
                try store.add(bytes, as: name)
                written.append((name, bytes))
            }
            for (repository, commit) in commits { try await repository.publish(commit) }
        } catch {
            for (name, bytes) in written { try? store.remove(bytes, name) }
            throw error
        }
    }

    /// What of an entry's lines an edit changes. An entry is never renamed: its name is how pass knows it.
    private static func lines(
        _ changes: CredentialItemChanges, _ text: EntryText, _ name: EntryName
    ) throws(PassStoreError) -> EntryTextChanges {
        guard changes.isStrict != true else { throw noStrictness }
        guard changes.authenticator == nil else { throw noAuthenticator }
        guard changes.isFavorite == nil, changes.tags == nil else { throw noLabels }
        let layout = EntryLayout(name)
        var lines = EntryTextChanges(password: changes.password?.bytes, notes: changes.notes?.bytes)
        if let user = changes.user, user != text.user ?? layout.user {
            lines.user = user == layout.user ? "" : user
        }
        if let services = changes.services {
            var wanted: [EntryService] = []
            for service in services { wanted.append(try NewEntry.service(service)) }
            if let named = layout.service, !wanted.contains(named) {
                throw PassStoreError(
                    .invalid, "The entry is named after \(named.text).", hint: "Rename it with: pass mv"
                )
            }
            let present = Set(text.services + (layout.service.map { [$0] } ?? []))
            if Set(wanted) != present {
                lines.urls = zip(services, wanted).filter { $1 != layout.service }.map(\.0)
            }
        }
        return lines
    }

    private static let noStrictness = PassStoreError(
        .invalid, "A password store cannot mark an entry as strict.")

    private static let noLabels = PassStoreError(.invalid, "A password store keeps no favorites and no tags.")

    private static let noAuthenticator = PassStoreError(
        .invalid, "The key of codes is a line of the entry, which is written with pass.",
        hint: "`pass edit` adds an otpauth:// line.")

    private static func names(_ names: [EntryName]) -> String {
        names.count == 1 ? names[0].text : "\(names.count) entries"
    }

    /// Makes a change when those before it are done, and then tells the identity store.
    private func changing<Value: Sendable>(
        _ body: @escaping @Sendable (isolated EntryRoute) async throws -> Value
    ) async throws -> Value {
        try await managing { route in
            defer { route.reportSoon() }
            let value = try await route.inTurn(body)
            route.reportSoon()
            await route.reported()
            return value
        }
    }
}
