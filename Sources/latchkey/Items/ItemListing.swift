// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// Items as `latchkey list` shows them.
enum ItemListing {
    /// Every item that a search finds, page by page, and the failure that tells of those that cannot be read.
    static func all(_ daemon: DaemonConnection, search: String?, removed: Bool) async throws -> (
        items: [Item], damage: CommandFailure?
    ) {
        var items: [Item] = []
        var unreadable: Int?
        var cursor: Int?
        repeat {
            let query = ItemQuery(search: search, removed: removed ? true : nil, cursor: cursor)
            let page = try await daemon.call(Items.List.self, query)
            items += page.items
            unreadable = page.unreadable ?? unreadable
            // A cursor that does not move would never end.
            guard page.cursor != cursor || page.cursor == nil else {
                throw CommandFailure(.malfunction, "The daemon sends the same page again.")
            }
            cursor = page.cursor
        } while cursor != nil
        return (items, unreadable.map(damage))
    }

    /// The failure that says how many accounts of a damaged vault are not shown.
    static func damage(_ unreadable: Int) -> CommandFailure {
        let what =
            unreadable == 0
            ? "some accounts may be older copies"
            : "\(unreadable) more account\(unreadable == 1 ? "" : "s") cannot be read"
        return CommandFailure(
            .storage, "The vault is damaged: \(what).",
            hint:
                "`latchkey restore FILE --replace` puts a backup in its place; `latchkey repair` keeps what can be read."
        )
    }

    /// Exactly id, services, user, created, modified; and removed, rejected, expires, strict, authenticator, favorite, tags, title, for an item that is, or has; hasPassword for one that has none.
    static func json(_ item: Item) -> JSONText {
        .object(members(item))
    }

    static func members(_ item: Item) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = [
            ("id", .string(item.id)), ("services", .strings(item.services)), ("user", .string(item.user)),
            ("created", .integer(item.created)), ("modified", .integer(item.modified)),
        ]
        if let removed = item.removed { members.append(("removed", .integer(removed))) }
        if let rejected = item.rejected { members.append(("rejected", .integer(rejected))) }
        if let expires = item.expires { members.append(("expires", .integer(expires))) }
        if item.strict == true { members.append(("strict", .bool(true))) }
        if item.authenticator == true { members.append(("authenticator", .bool(true))) }
        if item.favorite == true { members.append(("favorite", .bool(true))) }
        if let tags = item.tags, !tags.isEmpty { members.append(("tags", .strings(tags))) }
        if let title = item.title { members.append(("title", .string(title))) }
        if item.hasPassword == false { members.append(("hasPassword", .bool(false))) }
        return members
    }

    /// One line an item. A terminal gets columns and the first eight characters of the id, which name an item well
    /// enough; a pipe gets the whole id and tabs. Of items that look alike each says when it was changed. Control characters are written out in both, so a line stays one.
    static func lines(_ items: [Item], forTerminal: Bool) -> [String] {
        let alike = Dictionary(grouping: items) { [$0.user, $0.title ?? ""] + $0.services }.filter {
            $0.value.count > 1
        }
        let rows = items.map { item in
            [
                forTerminal ? String(item.id.prefix(8)) : item.id,
                TerminalText.escaped(item.services.isEmpty ? item.place : item.services.joined(separator: " ")),
                TerminalText.escaped(item.user),
            ] + (item.rejected == nil ? [] : ["rejected"])
                + (alike[[item.user, item.title ?? ""] + item.services] == nil
                    ? [] : ["changed \(Moment.text(item.modified))"])
        }
        return TextTable(rows: rows).lines(forTerminal: forTerminal)
    }
}
