// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What stands behind `otpauth-migration://offline?`: the accounts that Google Authenticator exports, as a protocol
/// buffer.
///
/// ```
/// message Payload { repeated Parameters otp_parameters = 1; int32 version = 2; int32 batch_size = 3; int32
/// batch_index = 4; … }
/// message Parameters {
///   bytes secret = 1; string name = 2; string issuer = 3;
///   int32 algorithm = 4; // 1 SHA1, 2 SHA256, 3 SHA512, 4 MD5
///   int32 digits = 5;    // 1 six, 2 eight
///   int32 type = 6;      // 1 HOTP, 2 TOTP
///   int64 counter = 7;
/// }
/// ```
enum MigrationLink {
    static func accounts(
        in query: ArraySlice<UInt8>
    ) throws(AuthenticatorLinkError) -> ([(entry: AuthenticatorEntry, key: [UInt8])], AuthenticatorBatch?) {
        let name = Array("data=".utf8)
        guard let member = query.split(separator: UInt8(ascii: "&")).first(where: { $0.starts(with: name) }),
            var text = KeyText.percentDecoded(member.dropFirst(name.count))
        else { throw AuthenticatorLinkError("The link has no accounts.") }
        defer { KeyText.wipe(&text) }
        guard var bytes = KeyText.base64(text) else { throw AuthenticatorLinkError("The accounts are no base64.") }
        defer { KeyText.wipe(&bytes) }
        var accounts: [(entry: AuthenticatorEntry, key: [UInt8])] = []
        var (count, index) = (UInt64(0), UInt64(0))
        var reader = ProtobufReader(bytes[...])
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let message)): accounts.append(try account(message))
            case (3, .number(let number)): count = number
            case (4, .number(let number)): index = number
            default: break
            }
        }
        guard !accounts.isEmpty else { throw AuthenticatorLinkError("The link has no accounts.") }
        guard count > 1, count <= 1000, index < count else { return (accounts, nil) }
        return (accounts, AuthenticatorBatch(index: Int(index), count: Int(count)))
    }

    private static func account(
        _ message: ArraySlice<UInt8>
    ) throws(AuthenticatorLinkError) -> (entry: AuthenticatorEntry, key: [UInt8]) {
        var key: [UInt8] = []
        var (name, issuer) = ("", "")
        var (algorithm, digits, type, counter) = (UInt64(1), UInt64(1), UInt64(2), UInt64(0))
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let bytes)): key = Array(bytes)
            case (2, .bytes(let bytes)): name = String(decoding: bytes, as: UTF8.self)
            case (3, .bytes(let bytes)): issuer = String(decoding: bytes, as: UTF8.self)
            case (4, .number(let number)): algorithm = number
            case (5, .number(let number)): digits = number
            case (6, .number(let number)): type = number
            case (7, .number(let number)): counter = number
            default: break
            }
        }
        guard (1...KeyText.keyLimit).contains(key.count) else {
            throw AuthenticatorLinkError("An account has no key, or its key is too long.")
        }
        let hash: CodeHash
        switch algorithm {
        case 0, 1: hash = .sha1
        case 2: hash = .sha256
        case 3: hash = .sha512
        default: throw AuthenticatorLinkError("An account asks for a hash other than SHA1, SHA256 and SHA512.")
        }
        guard digits <= 2, type <= 2, counter <= UInt64(Int64.max),
            let generator = CodeGenerator(
                hash: hash, alphabet: .digits(digits == 2 ? 8 : 6),
                movement: type == 1 ? .counter(counter) : .period(30))
        else { throw AuthenticatorLinkError("An account's parameters are out of bounds.") }
        let (prefix, account) = KeyLink.parts(of: name)
        return (
            AuthenticatorEntry(issuer: issuer.isEmpty ? prefix : issuer, account: account, generator: generator), key
        )
    }
}

/// Reads the fields of a message in the encoding of protocol buffers, one by one.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// Fixed 32 and 64 bits, which no field here has.
        case other
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    private static var damaged: AuthenticatorLinkError { AuthenticatorLinkError("The accounts are damaged.") }

    /// The number of a field and its value; nothing at the end.
    mutating func next() throws(AuthenticatorLinkError) -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try number()
        switch tag & 7 {
        case 0: return (tag >> 3, .number(try number()))
        case 1:
            _ = try take(8)
            return (tag >> 3, .other)
        case 2:
            let count = try number()
            guard count <= UInt64(rest.count) else { throw Self.damaged }
            return (tag >> 3, .bytes(try take(Int(count))))
        case 5:
            _ = try take(4)
            return (tag >> 3, .other)
        default: throw Self.damaged
        }
    }

    private mutating func take(_ count: Int) throws(AuthenticatorLinkError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Self.damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A base 128 varint of at most ten bytes.
    private mutating func number() throws(AuthenticatorLinkError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw Self.damaged }
            guard shift < 63 || byte <= 1 else { throw Self.damaged }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Self.damaged
    }
}
