// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets

/// The saved items, which rows are compared with so that importing twice adds nothing twice.
struct KnownItems {
    enum Answer {
        case new
        /// It is saved, with all that the row has.
        case whole(Item)
        /// It is saved with this password, without something that stands beside it.
        case same(Item)
        /// It is saved with another password. Of several the one that was changed last.
        case otherPassword(Item)
    }

    private let items: [String: [Item]]
    private let daemon: DaemonConnection
    private let passphrase: PassphraseOptions

    init(_ daemon: DaemonConnection, _ passphrase: PassphraseOptions) async throws {
        self.daemon = daemon
        self.passphrase = passphrase
        items = Dictionary(grouping: try await ItemListing.all(daemon, search: nil, removed: false).items, by: \.user)
    }

    /// Whether items hold all services (or the title, where there are none), the user and the password of new ones. Only for items that fit
    /// in everything else are secrets compared. They are compared where they are kept, so none is shown.
    func contains(_ new: [NewItem]) async throws -> [Answer] {
        let similar = new.map { new in items[new.user, default: []].filter { Self.isSimilar($0, new) } }
        let guesses = zip(new, similar).flatMap { new, similar in similar.flatMap { Self.guesses(new, $0) } }
        var answers = try await Self.compare(guesses, daemon, passphrase)[...]
        return zip(new, similar).map { new, similar in
            var (whole, same): (Item?, Item?) = (nil, nil)
            for item in similar {
                let own = answers.prefix(Self.guesses(new, item).count)
                answers = answers.dropFirst(own.count)
                guard own.first == true else { continue }
                let isWhole = own.allSatisfy(\.self) && Self.hasLabels(item, of: new)
                if isWhole { whole = whole ?? item }
                // Notes without a password are told apart by their text.
                if new.password.bytes.count > 0 || own.allSatisfy(\.self) { same = same ?? item }
            }
            if let whole { return .whole(whole) }
            if let same { return .same(same) }
            // Rather the account of just these sites than one of more.
            let closest = similar.filter { Self.covers(new, $0) }
            guard !new.services.isEmpty,
                let last = (closest.isEmpty ? similar : closest).max(by: { $0.modified < $1.modified })
            else { return .new }
            return .otherPassword(last)
        }
    }

    private static func isSimilar(_ item: Item, _ new: NewItem) -> Bool {
        let services = item.services.map { $0.lowercased() }
        guard new.services.isEmpty else { return new.services.allSatisfy(services.contains) }
        guard let title = new.title else { return false }
        // An export writes a service that is not an address as the title, or next to it.
        let isPlaceless = item.services.allSatisfy { if case .failure = ImportAddress.only($0) { true } else { false } }
        return item.services.contains(title) || isPlaceless && item.title == title
    }

    /// Whether a row is about every site of an account.
    static func covers(_ new: NewItem, _ item: Item) -> Bool {
        item.services.allSatisfy { new.services.contains($0.lowercased()) }
    }

    /// The password first, then what else the row has.
    private static func guesses(_ new: NewItem, _ item: Item) -> [Items.Compare.Guess] {
        [Items.Compare.Guess(id: item.id, password: new.password)]
            + [
                new.notes.map { .init(id: item.id, notes: $0) },
                new.authenticator.map { .init(id: item.id, authenticator: $0) },
            ]
            .compactMap(\.self)
    }

    private static func hasLabels(_ item: Item, of new: NewItem) -> Bool {
        let tags = Set((item.tags ?? []).map { $0.lowercased() })
        return (new.tags ?? []).allSatisfy { tags.contains($0.lowercased()) }
            && (new.favorite != true || item.favorite == true)
            && (new.title == nil || new.title == item.title || new.title.map(item.services.contains) == true)
    }

    /// Asks about any number of guesses, as many at once as a message may hold.
    static func compare(
        _ guesses: [Items.Compare.Guess], _ daemon: DaemonConnection, _ passphrase: PassphraseOptions
    ) async throws -> [Bool] {
        var (same, part, bytes): ([Bool], [Items.Compare.Guess], Int) = ([], [], 0)
        func send() async throws {
            guard !part.isEmpty else { return }
            same += try await daemon.authenticated(Items.Compare.self, .init(items: part), passphrase).same
            (part, bytes) = ([], 0)
        }
        for guess in guesses {
            let secrets = [guess.password, guess.notes, guess.authenticator].compactMap(\.self)
            // A control character takes six bytes in JSON.
            let size = secrets.reduce(200) { $0 + 6 * $1.bytes.count }
            if part.count == Items.Compare.limit || bytes + size > ImportRun.batchBytes { try await send() }
            part.append(guess)
            bytes += size
        }
        try await send()
        return same
    }
}
