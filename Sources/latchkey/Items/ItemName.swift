// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import FoundationEssentials
import TerminalRendering

/// The words by which a person names one item: an id, the beginning of one, a title, or a service with or without a user.
struct ItemName: Equatable {
    let text: String
    let user: String?

    /// A prefix shorter than this would soon mean another item.
    static let shortestPrefix = 4

    /// What was found.
    enum Choice: Equatable {
        case one(Item)
        case none
        case several([Item])
    }

    /// Decides among items. An id in full wins; then the beginning of an id, the service and the title are looked at together; a
    /// service as it is written wins over one that has only its host in common, and that over one that has the text as a part
    /// between dots.
    func choose(among items: [Item]) -> Choice {
        if user == nil, let item = items.first(where: { $0.id == text || $0.id == text.lowercased() }) {
            return .one(item)
        }
        let candidates = items.filter { user == nil || $0.user == user }
        let name = Self.withoutPath(text)
        var found = candidates.filter { item in
            isPrefix(of: item.id) || item.services.contains { Self.withoutPath($0) == name }
                || item.title?.lowercased() == text.lowercased()
        }
        if found.isEmpty {
            let host = Self.host(of: name)
            found = candidates.filter { $0.services.contains { Self.host(of: Self.withoutPath($0)) == host } }
            // As people call a machine or a site: `fritz` is `fritz.box`.
            if found.isEmpty, !host.contains(".") {
                found = candidates.filter {
                    $0.services.contains {
                        Self.host(of: Self.withoutPath($0)).split(separator: ".").dropLast().contains(host[...])
                    }
                }
            }
        }
        return switch found.count {
        case 0: .none
        case 1: .one(found[0])
        default: .several(found)
        }
    }

    /// The text for the daemon to search for: the host, or `nil` for everything if the text may be the beginning of an id or a title.
    var search: String? {
        isPrefixLike || text.contains(where: \.isWhitespace) ? nil : Self.host(of: Self.withoutPath(text))
    }

    /// An id is the provider's own: letters, digits, hyphens and underscores, as far as anybody can know.
    private var isPrefixLike: Bool {
        text.utf8.count >= Self.shortestPrefix
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
            }
    }

    private func isPrefix(of id: String) -> Bool {
        isPrefixLike && (id.hasPrefix(text) || id.hasPrefix(text.lowercased()))
    }

    /// `https://Host/path` and `Host` become `host`; another scheme stays, and so does a port.
    private static func withoutPath(_ service: String) -> String {
        var scheme = ""
        var rest = service[...]
        if let mark = service.firstRange(of: "://") {
            scheme = service[..<mark.upperBound].lowercased()
            rest = service[mark.upperBound...]
        }
        rest = rest.prefix { !"/?#".contains($0) }
        return (scheme == "https://" ? "" : scheme) + rest.lowercased()
    }

    private static func host(of name: String) -> String {
        var rest = name[...]
        if let mark = name.firstRange(of: "://") { rest = name[mark.upperBound...] }
        guard let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") else { return String(rest) }
        return String(rest[..<colon])
    }
}

extension Item {
    /// The item in words: whose account it is and where, or the title alone.
    var spoken: String { user.isEmpty ? place : "\(user) at \(place)" }
}

extension ItemName {
    /// Asks the daemon and decides; throws `notFound`, or `ambiguous` with the items in question.
    func resolve(_ daemon: DaemonConnection, removed: Bool = false) async throws -> Item {
        let (items, damage) = try await ItemListing.all(daemon, search: search, removed: removed)
        switch choose(among: items) {
        case .one(let item): return item
        case .none:
            // It may be one of those that cannot be read.
            if let damage { throw damage }
            let what = user.map { "\(text) with the user \($0)" } ?? text
            throw CommandFailure(
                .notFound, "There is no \(removed ? "removed " : "")item for \(what).",
                hint: "`latchkey list\(removed ? " --removed" : "")` shows all.")
        case .several(let items):
            let named = items.prefix(8).map { "\($0.id.prefix(8)) (\($0.spoken))" }
            throw CommandFailure(
                .ambiguous,
                "\(items.count) items match \(text): \(named.joined(separator: ", "))\(items.count > 8 ? ", …" : "").",
                hint: "Add the user name, or the beginning of the id.")
        }
    }
}
