// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// An app's registration for Sign in with Apple, from its extension's `Info.plist` (`docs/sign-in-with-apple.md`).
///
/// On Apple's systems the app's identifier is enough. The web flow uses a Services ID and a return URL instead, both
/// registered with Apple.
package struct AppleClient: Sendable, Equatable {
    /// The reason why the registration cannot be used.
    package struct Refusal: Error, Equatable {
        package let reason: String
    }

    /// Apple's own issuer, used if none is stated.
    package static let appleIssuer = "https://appleid.apple.com"

    /// The client identifier.
    package let identifier: String
    /// The address to which the answer is posted: https, on the default port, without a query.
    package let returnURL: String
    package let host: String
    private let path: String
    /// The issuer, without a trailing slash.
    package let issuer: String

    /// Whether the issuer is Apple. Other issuers are for tests, and only a debug build may state one.
    package var isOfApple: Bool { issuer == Self.appleIssuer }

    /// The address at which the sign-in window closes.
    package var callback: WebCallback { .https(host: host, path: path) }

    /// Reads a stated registration.
    package init(identifier: String?, returnURL: String?, issuer: String?) throws(Refusal) {
        guard let identifier, let returnURL else {
            throw Refusal(reason: "its Info.plist has one of the keys for Sign in with Apple without the other")
        }
        guard (1...255).contains(identifier.utf8.count), identifier.utf8.allSatisfy(Self.isOfIdentifiers) else {
            throw Refusal(reason: "its client identifier for Sign in with Apple is none")
        }
        // Only the registered spelling is accepted, so that no two spellings have to be compared.
        let rest = returnURL.hasPrefix("https://") ? returnURL.dropFirst("https://".count) : ""
        let host = String(rest.prefix { $0 != "/" })
        guard
            case .https(let known, let path)? = WebCallback(.init(host: host, path: String(rest.dropFirst(host.count)))),
            returnURL == "https://\(known)\(path)"
        else {
            throw Refusal(
                reason:
                    "its return URL for Sign in with Apple is not https://HOST/PATH, in lower case and without a query")
        }
        let issuer = issuer ?? Self.appleIssuer
        guard Self.isIssuer(issuer) else {
            throw Refusal(reason: "its issuer for Sign in with Apple is not https://HOST")
        }
        self.identifier = identifier
        self.returnURL = returnURL
        self.host = known
        self.path = path
        self.issuer = issuer
    }

    private static func isIssuer(_ text: String) -> Bool {
        guard text.hasPrefix("https://"),
            case .https(let host, _)? = WebCallback(.init(host: String(text.dropFirst("https://".count)), path: "/"))
        else { return false }
        return text == "https://\(host)"
    }

    private static func isOfIdentifiers(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
