// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Paths in addresses as pages write them.
enum PagePath {
    /// The path of an address, absolute or not, without host, query and fragment.
    static func path(of address: String) -> String {
        var rest = address.prefix { $0 != "?" && $0 != "#" }
        if let scheme = rest.firstIndex(of: ":"), rest[..<scheme].allSatisfy(\.isLetter),
            rest[scheme...].hasPrefix("://")
        {
            rest = rest[scheme...].dropFirst(1)
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
        }
        return String(rest.prefix(200))
    }
}
