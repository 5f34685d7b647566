// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What stands behind `otpauth://`: `TYPE/LABEL?PARAMETERS`, as the "Key Uri Format" of Google Authenticator has it.
struct KeyLink {
    private let text: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
    }

    /// The parameters that are understood, as they stand in a link.
    private struct Parameters {
        var secret: [UInt8]?
        var issuer: String?
        var hash = CodeHash.sha1
        var digits = 6
        var period: Int64 = 30
        var counter: UInt64?
        var isSteam = false
        private var seen: Set<String> = []

        mutating func read(_ name: String, _ value: [UInt8]) throws(AuthenticatorLinkError) {
            guard ["secret", "issuer", "algorithm", "digits", "period", "counter", "encoder"].contains(name) else {
                return
            }
            guard seen.insert(name).inserted else { throw AuthenticatorLinkError("The link states its \(name) twice.") }
            switch name {
            case "secret":
                guard let key = KeyText.base32(value) else { throw AuthenticatorLinkError("The key is not base32.") }
                secret = key
            case "issuer": issuer = String(decoding: value, as: UTF8.self)
            case "algorithm": hash = try Self.hash(value)
            case "digits": digits = Int(try Self.number(value, in: 6...8, "6 to 8 digits"))
            case "period": period = Int64(try Self.number(value, in: 1...3600, "a period of 1 to 3600 seconds"))
            case "counter": counter = try Self.number(value, in: 0...UInt64(Int64.max), "a counter")
            default:
                guard value == Array("steam".utf8) else {
                    throw AuthenticatorLinkError("The link has an unknown encoder.")
                }
                isSteam = true
            }
        }

        private static func hash(_ value: [UInt8]) throws(AuthenticatorLinkError) -> CodeHash {
            // `SHA1`, `SHA-1`, `HmacSHA1`.
            let letters = value.filter { $0 != UInt8(ascii: "-") }.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
            let name = String(decoding: letters, as: UTF8.self)
            guard let hash = CodeHash.allCases.first(where: { name == $0.rawValue || name == "HMAC" + $0.rawValue })
            else {
                throw AuthenticatorLinkError("The link asks for a hash other than SHA1, SHA256 and SHA512.")
            }
            return hash
        }

        private static func number(
            _ value: [UInt8], in range: ClosedRange<UInt64>, _ meaning: String
        ) throws(AuthenticatorLinkError) -> UInt64 {
            guard !value.isEmpty, value.count <= 20, value.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt64(String(decoding: value, as: UTF8.self)), range.contains(number)
            else { throw AuthenticatorLinkError("The link does not state \(meaning) as it should.") }
            return number
        }
    }

    func account() throws(AuthenticatorLinkError) -> (AuthenticatorEntry, [UInt8]) {
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")), let mark = text.firstIndex(of: UInt8(ascii: "?")),
            slash < mark
        else {
            throw AuthenticatorLinkError("The link has no parameters.")
        }
        let kind = String(decoding: text[..<slash].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        var parameters = Parameters()
        let end = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        for member in text[(mark + 1)..<max(mark + 1, end)].split(separator: UInt8(ascii: "&")) {
            let parts = member.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2 else { continue }
            guard let name = KeyText.percentDecoded(parts[0]), var value = KeyText.percentDecoded(parts[1]) else {
                throw AuthenticatorLinkError("The link's percent signs are not followed by hexadecimal digits.")
            }
            defer { KeyText.wipe(&value) }
            try parameters.read(String(decoding: name, as: UTF8.self), value)
        }
        guard let key = parameters.secret else { throw AuthenticatorLinkError("The link has no key.") }
        let isSteam = parameters.isSteam || kind == "steam"
        let movement: CodeMovement
        switch kind {
        case "totp", "steam": movement = .period(parameters.period)
        case "hotp":
            guard let counter = parameters.counter else { throw AuthenticatorLinkError("The link has no counter.") }
            movement = .counter(counter)
        default: throw AuthenticatorLinkError("The link is of a kind other than totp and hotp.")
        }
        let alphabet = isSteam ? CodeAlphabet.steam : .digits(parameters.digits)
        guard let generator = CodeGenerator(hash: parameters.hash, alphabet: alphabet, movement: movement) else {
            throw AuthenticatorLinkError("The link's parameters are out of bounds.")
        }
        guard let label = KeyText.percentDecoded(text[(slash + 1)..<mark]) else {
            throw AuthenticatorLinkError("The link's percent signs are not followed by hexadecimal digits.")
        }
        let (prefix, account) = Self.parts(of: String(decoding: label, as: UTF8.self))
        return (AuthenticatorEntry(issuer: parameters.issuer ?? prefix, account: account, generator: generator), key)
    }

    /// `Issuer:Account`, blanks before the account passed over.
    static func parts(of label: String) -> (issuer: String?, account: String) {
        guard let colon = label.firstIndex(of: ":") else { return (nil, label) }
        return (String(label[..<colon]), String(label[label.index(after: colon)...].drop { $0 == " " }))
    }
}
