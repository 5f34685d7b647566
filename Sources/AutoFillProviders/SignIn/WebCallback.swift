// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillMatching

/// The address at which a sign-in window closes.
package enum WebCallback: Sendable, Equatable {
    case scheme(String)
    /// The normalized host, and a path without a query.
    case https(host: String, path: String)

    /// Schemes with a meaning of their own in browsers and desktops, which cannot be callbacks.
    private static let taken: Set<String> = [
        "http", "https", "ws", "wss", "ftp", "file", "filesystem", "blob", "data", "about", "javascript", "view-source",
        "mailto", "tel",
        "chrome", "chrome-extension", "moz-extension", "devtools", "edge", "brave", "vivaldi", "resource", "intent",
    ]

    /// Reads a callback, or returns `nil` if it is not valid.
    package init?(_ statement: WebAuthentication.Callback) {
        switch (statement.scheme, statement.host, statement.path) {
        case (let scheme?, nil, nil):
            let scheme = scheme.lowercased()
            guard Self.isScheme(scheme), !Self.taken.contains(scheme) else { return nil }
            self = .scheme(scheme)
        case (nil, let host?, let path?):
            guard let origin = Origin(written: "https://" + host), origin.port == 443, origin.host == host.lowercased(),
                path.hasPrefix("/"), path.utf8.count <= 1_024,
                path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 && $0 != 0x3F })
            else { return nil }
            self = .https(host: origin.host, path: path)
        default: return nil
        }
    }

    /// Whether an address matches this callback. The browser's claim is checked again here.
    package func matches(_ address: String) -> Bool {
        guard address.utf8.count <= 32_768, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let colon = address.firstIndex(of: ":")
        else { return false }
        switch self {
        case .scheme(let scheme): return address[..<colon].lowercased() == scheme
        case .https(let host, let path):
            // Up to the query or fragment the address has to be identical. A user, a port other than 443 or another
            // path does not match.
            let place = address.prefix { $0 != "?" && $0 != "#" }
            return place == "https://\(host)\(path)" || place == "https://\(host):443\(path)"
        }
    }

    /// RFC 3986, 3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.count <= 128
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
                    UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    package var statement: WebAuthentication.Callback {
        switch self {
        case .scheme(let scheme): .init(scheme: scheme)
        case .https(let host, let path): .init(host: host, path: path)
        }
    }
}
