// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// Reads the attributes that git writes to a helper: lines of `key=value`, up to an empty line or the end.
///
/// Keys that are not known are left out, as git-credential(1) demands; so are `oauth_refresh_token`, `wwwauth[]`, `state[]` and
/// the `authtype` with its `credential`, which are no passwords of a person. A line feed ends a value, so that nothing in one can
/// pass for another attribute; a NUL or carriage return, which would be read differently elsewhere, is refused.
public struct GitCredentialReader {
    /// Of one description, in bytes. Git's own lines have at most 65,535.
    public static let limit = 1 << 17

    private var credential = GitCredential()

    private init() {}

    /// Reads a description.
    public static func read(_ input: SecretBytes) throws(GitCredentialFailure) -> GitCredential {
        guard input.count <= limit else { throw GitCredentialFailure("It is too long.") }
        var reader = GitCredentialReader()
        try input.withUnsafeBytes { bytes throws(GitCredentialFailure) in
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                // An empty line ends the description, whatever stands behind it.
                if end == start { return }
                try reader.take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end + 1
            }
        }
        return reader.credential
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) throws(GitCredentialFailure) {
        guard !line.contains(0), !line.contains(UInt8(ascii: "\r")) else {
            throw GitCredentialFailure("A line holds a NUL or a carriage return.")
        }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
            throw GitCredentialFailure("A line is not a key=value.")
        }
        let key = UnsafeRawBufferPointer(rebasing: line[..<equals])
        let value = UnsafeRawBufferPointer(rebasing: line[(equals + 1)...])
        switch String(decoding: key, as: UTF8.self) {
        case "protocol": credential.protocolName = try Self.text(value)
        case "host": credential.host = try Self.text(value)
        case "path": credential.path = try Self.text(value)
        case "username": credential.username = try Self.text(value)
        case "password":
            credential.password = try Self.secret(value)
        case "password_expiry_utc":
            // What is not a number says nothing, as in git itself.
            credential.expiry = Int64(String(decoding: value, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
        case "ephemeral":
            // As git reads a boolean.
            let word = String(decoding: value, as: UTF8.self).lowercased()
            credential.isEphemeral = !["", "0", "false", "no", "off"].contains(word)
        case "url": try take(url: value)
        default: return
        }
    }

    /// `url=` stands for the parts of it, and for none that came before.
    private mutating func take(url: UnsafeRawBufferPointer) throws(GitCredentialFailure) {
        let mark = Array("://".utf8)
        guard let colon = url.indices.first(where: { url[$0...].starts(with: mark) }), colon > 0 else {
            throw GitCredentialFailure("The url has no protocol.")
        }
        var found = GitCredential()
        found.protocolName = try Self.text(UnsafeRawBufferPointer(rebasing: url[..<colon]))
        let rest = UnsafeRawBufferPointer(rebasing: url[(colon + 3)...])
        let slash = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.count
        var authority = UnsafeRawBufferPointer(rebasing: rest[..<slash])
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            let user = UnsafeRawBufferPointer(rebasing: authority[..<at])
            authority = UnsafeRawBufferPointer(rebasing: authority[(at + 1)...])
            if let colon = user.firstIndex(of: UInt8(ascii: ":")) {
                found.username = try Self.decodedText(UnsafeRawBufferPointer(rebasing: user[..<colon]))
                found.password = try Self.decoded(UnsafeRawBufferPointer(rebasing: user[(colon + 1)...]))
            } else {
                found.username = try Self.decodedText(user)
            }
        }
        found.host = try Self.decodedText(authority)
        var path = UnsafeRawBufferPointer(rebasing: rest[slash...])
        while path.first == UInt8(ascii: "/") { path = UnsafeRawBufferPointer(rebasing: path.dropFirst()) }
        while path.last == UInt8(ascii: "/") { path = UnsafeRawBufferPointer(rebasing: path.dropLast()) }
        if !path.isEmpty { found.path = try Self.decodedText(path) }
        credential = found
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(GitCredentialFailure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw GitCredentialFailure("A value is not UTF-8 text.")
        }
        return text
    }

    /// A secret is UTF-8 too: nothing else can be saved.
    private static func secret(_ bytes: UnsafeRawBufferPointer) throws(GitCredentialFailure) -> SecretBytes {
        let secret = SecretBytes(copying: bytes)
        guard secret.isPrintableText else { throw GitCredentialFailure("A password is not UTF-8 text.") }
        return secret
    }

    private static func decodedText(_ bytes: UnsafeRawBufferPointer) throws(GitCredentialFailure) -> String {
        try decoded(bytes).withUnsafeBytes { bytes throws(GitCredentialFailure) in try text(bytes) }
    }

    /// Without percent escapes. One that would make a control character is an attempt to say something else.
    private static func decoded(_ bytes: UnsafeRawBufferPointer) throws(GitCredentialFailure) -> SecretBytes {
        let buffer = SecretBytes(count: bytes.count)
        var count = 0
        var isHarmful = false
        buffer.withUnsafeMutableBytes { output in
            var index = 0
            while index < bytes.count {
                var byte = bytes[index]
                if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                    let low = digit(bytes[index + 2])
                {
                    byte = high << 4 | low
                    index += 2
                }
                if byte < 0x20 || byte == 0x7F { isHarmful = true }
                output[count] = byte
                count += 1
                index += 1
            }
        }
        if isHarmful { throw GitCredentialFailure("The url holds an escaped control character.") }
        let secret = buffer.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        guard secret.isPrintableText else { throw GitCredentialFailure("The url is not UTF-8 text.") }
        return secret
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

extension SecretBytes {
    /// Whether the bytes are UTF-8 that fits into one line of git's: without line feed, carriage return and NUL.
    var isPrintableText: Bool {
        withUnsafeBytes { bytes in
            guard !bytes.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else { return false }
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            while true {
                switch decoder.decode(&iterator) {
                case .scalarValue: continue
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }
}
