// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching
internal import FoundationEssentials

/// An https address, taken apart once, so that what was checked is what is asked for.
struct HTTPSAddress: Equatable, Sendable {
    static let maximumLength = 2_048

    let origin: Origin
    /// Path and query, beginning with a slash.
    let target: String

    /// Reads an absolute address; nothing for any other scheme, for user information, and for what is not plain ASCII.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("\\"), text.prefix(8).lowercased() == "https://"
        else { return nil }
        // Plainly written, or not at all: what only a browser's tolerance makes an address of is a mistake or a trap here.
        let authority = text.dropFirst(8).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, let origin = Origin(stated: "https://" + authority) else { return nil }
        let rest = text.dropFirst(8 + authority.count).prefix { $0 != "#" }
        self.origin = origin
        target = rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// Where a `Location` leads that stands in the answer of this address (RFC 9110, section 10.2.2).
    func resolving(_ location: String) -> HTTPSAddress? {
        if location.isEmpty { return self }
        guard let base = URL(string: description), let url = URL(string: location, relativeTo: base) else { return nil }
        return HTTPSAddress(url.absoluteString)
    }

    /// The host without the brackets of an IPv6 address.
    var host: String {
        origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    }

    /// "host:port", as `DownloaderConfiguration.resolve` names it.
    var key: String { "\(origin.host):\(origin.port)" }

    /// What the header `Host` says.
    var authority: String { origin.port == 443 ? origin.host : key }

    var description: String { origin.description + target }
}
