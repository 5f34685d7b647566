// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An account of an authenticator, without its key.
public struct AuthenticatorEntry: Sendable, Hashable {
    /// Who checks the codes; nothing if the link does not say.
    public let issuer: String?
    /// Whose account it is; may be empty.
    public let account: String
    /// Makes the codes, from the key.
    public let generator: CodeGenerator

    /// The issuer and the account, for people.
    public var name: String {
        guard let issuer, !issuer.isEmpty else { return account }
        return account.isEmpty ? issuer : "\(issuer): \(account)"
    }
}

/// Why a link is not read. Never holds a part of it, which may be a key.
public struct AuthenticatorLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence, for people.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Which of several links with parts of an export a link is.
public struct AuthenticatorBatch: Sendable, Hashable {
    /// From 0.
    public let index: Int
    public let count: Int
}

/// Reads links that carry keys: `otpauth://totp/`, `otpauth://hotp/`, `otpauth://steam/`, `steam://` and
/// `otpauth-migration://`.
public enum AuthenticatorLink {
    /// No link is longer, in bytes.
    public static let limit = 65_536

    /// Takes an account and its key. The array is wiped as soon as the call is over: move the bytes to where secrets
    /// live.
    public typealias Receiver = (_ entry: AuthenticatorEntry, _ key: inout [UInt8]) -> Void

    /// Reads a link and hands over every account in it, in order, once all of them are known to be right.
    ///
    /// - Parameters:
    ///   - text: the link, without anything around it. Copies of it that are made here are wiped.
    ///   - receive: called for each account.
    /// - Returns: for an export in several parts, which one this is.
    @discardableResult
    public static func read(
        _ text: UnsafeRawBufferPointer, _ receive: Receiver
    ) throws(AuthenticatorLinkError) -> AuthenticatorBatch? {
        guard text.count <= limit else { throw AuthenticatorLinkError("The link is too long.") }
        var bytes = Array(text)
        defer { KeyText.wipe(&bytes) }
        var found: [(entry: AuthenticatorEntry, key: [UInt8])] = []
        defer { for index in found.indices { KeyText.wipe(&found[index].key) } }
        var batch: AuthenticatorBatch?
        if let rest = rest(of: bytes, after: "otpauth://") {
            found = [try KeyLink(bytes[rest...]).account()]
        } else if let rest = rest(of: bytes, after: "steam://") {
            guard
                let key = KeyText.base32(bytes[rest...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }),
                let generator = CodeGenerator(alphabet: .steam)
            else { throw AuthenticatorLinkError("The key is not base32.") }
            found = [(AuthenticatorEntry(issuer: "Steam", account: "", generator: generator), key)]
        } else if let rest = rest(of: bytes, after: "otpauth-migration://offline?") {
            (found, batch) = try MigrationLink.accounts(in: bytes[rest...])
        } else {
            throw AuthenticatorLinkError("The text is not a link of an authenticator: those begin with otpauth://.")
        }
        for index in found.indices { receive(found[index].entry, &found[index].key) }
        return batch
    }

    /// Where a text goes on behind a beginning, in either case.
    private static func rest(of text: [UInt8], after beginning: String) -> Int? {
        let expected = Array(beginning.utf8)
        guard text.count >= expected.count else { return nil }
        for (index, byte) in expected.enumerated() {
            let upper = text[index]
            guard upper == byte || (0x41...0x5A).contains(upper) && upper | 0x20 == byte else { return nil }
        }
        return expected.count
    }
}
