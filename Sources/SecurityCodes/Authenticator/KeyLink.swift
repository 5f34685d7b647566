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
            // Five are those of Steam alone.
            case "digits": digits = Int(try Self.number(value, in: 5...8, "6 to 8 digits"))
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
            guard let name = KeyText.percentDecoded(parts[0]),
                var value = KeyText.percentDecoded(
                    name.elementsEqual("issuer".utf8) ? Self.withBlanks(parts[1]) : parts[1])
            else {
                throw AuthenticatorLinkError("The link's percent signs are not followed by hexadecimal digits.")
            }
            defer { KeyText.wipe(&value) }
            try parameters.read(String(decoding: name, as: UTF8.self), value)
        }
        guard let key = parameters.secret else { throw AuthenticatorLinkError("The link has no key.") }
        guard let label = KeyText.percentDecoded(text[(slash + 1)..<mark]) else {
            throw AuthenticatorLinkError("The link's percent signs are not followed by hexadecimal digits.")
        }
        let (issuer, account) = Self.parts(of: String(decoding: label, as: UTF8.self), issuer: parameters.issuer)
        let isSteam = parameters.isSteam || kind == "steam" || kind == "totp" && issuer?.lowercased() == "steam"
        guard isSteam || parameters.digits > 5 else {
            throw AuthenticatorLinkError("The link does not state 6 to 8 digits as it should.")
        }
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
        return (AuthenticatorEntry(issuer: issuer, account: account, generator: generator), key)
    }

    /// The issuer of a form, where a plus sign between two other characters is a blank.
    private static func withBlanks(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value
        let plus = UInt8(ascii: "+")
        for index in value.indices.dropFirst().dropLast()
        where value[index] == plus && value[index + 1] != plus && value[index - 1] != plus {
            value[index] = UInt8(ascii: " ")
        }
        return value
    }

    /// `Issuer:Account`, blanks before the account passed over. A stated issuer is taken off the label whole, colons included;
    /// otherwise the label is parted at its first colon that does not belong to an address (`https://`).
    static func parts(of label: String, issuer: String? = nil) -> (issuer: String?, account: String) {
        if let issuer, !issuer.isEmpty, label.hasPrefix(issuer + ":") {
            return (issuer, String(label.dropFirst(issuer.count + 1).drop { $0 == " " }))
        }
        let colon = label.indices.first { label[$0] == ":" && !label[$0...].hasPrefix("://") }
        guard let colon else { return (issuer, label) }
        return (issuer ?? String(label[..<colon]), String(label[label.index(after: colon)...].drop { $0 == " " }))
    }
}
