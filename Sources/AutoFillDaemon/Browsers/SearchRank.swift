// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// How well an account fits what was typed to find it. The better one is less.
struct SearchRank: Comparable {
    private let fit: Int
    private let isOrdinary: Bool
    private let name: String
    private let user: String

    /// - Parameters:
    ///   - names: The account's title, if it has one, and the hosts that it is for.
    ///   - search: What was typed.
    init(of names: [String], user: String, isFavorite: Bool, for search: String) {
        let names = names.map(Self.plain)
        let search = Self.plain(search)
        fit = names.map { Self.fit($0, search) }.min() ?? 4
        isOrdinary = !isFavorite
        name = names.first ?? ""
        self.user = user.lowercased()
    }

    static func < (one: Self, other: Self) -> Bool {
        (one.fit, one.isOrdinary ? 1 : 0, one.name, one.user)
            < (other.fit, other.isOrdinary ? 1 : 0, other.name, other.user)
    }

    /// 0 for the name itself, then its beginning, the beginning of a word in it, anywhere in it, and elsewhere in the account.
    private static func fit(_ name: String, _ search: String) -> Int {
        if name == search { return 0 }
        if name.hasPrefix(search) { return 1 }
        let words = name.split { !$0.isLetter && !$0.isNumber }
        if words.contains(where: { $0.hasPrefix(search) }) { return 2 }
        return name.contains(search) ? 3 : 4
    }

    /// Without what people do not think of: capitals, and the `www.` of a host.
    private static func plain(_ text: String) -> String {
        let text = text.lowercased()
        return text.hasPrefix("www.") ? String(text.dropFirst(4)) : text
    }
}
