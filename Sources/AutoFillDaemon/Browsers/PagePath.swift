// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The path of a page's URL, as RFC 3986, section 3.3, writes one. A provider is told it where the user wants that.
struct PagePath: Sendable, Equatable {
    /// Size limit in bytes. The content script cuts longer ones, and a part of a path is another path.
    private static let limit = 160

    let text: String

    /// - Parameter stated: what the content script says. What stands behind a question mark, a number sign or a semicolon may hold
    ///   tokens, so a text with one of these is not told.
    init?(_ stated: String?) {
        guard let stated, stated.hasPrefix("/"), stated.utf8.count < Self.limit,
            stated.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"?#;\"#.utf8.contains($0) })
        else { return nil }
        text = stated
    }

    /// The path of an http or https URL that a user gave.
    init?(inURL url: String) {
        let withoutQuery = url.prefix { $0 != "?" && $0 != "#" }
        guard let authority = withoutQuery.firstRange(of: "://"),
            let slash = withoutQuery[authority.upperBound...].firstIndex(of: "/")
        else { return nil }
        self.init(String(withoutQuery[slash...]))
    }
}
