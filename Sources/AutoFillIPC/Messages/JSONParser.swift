// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Parses JSON within the bounds of section 2 of `docs/protocol.md`.
///
/// It is written here because no library parses a member into locked memory: a parser that makes a `String` of a
/// password has already broken the rule.
struct JSONParser {
    /// The reason why bytes are refused as JSON. Offsets are in bytes.
    struct Failure: Error, Equatable {
        var reason: String
        var offset: Int
    }

    static let maximumDepth = 32

    private let bytes: UnsafeRawBufferPointer
    private let readsSecrets: Bool
    private let arena: SecretArena
    private var index = 0

    private init(_ bytes: UnsafeRawBufferPointer, readsSecrets: Bool, arena: SecretArena) {
        self.bytes = bytes
        self.readsSecrets = readsSecrets
        self.arena = arena
    }

    /// Parses one value, which has to fill the buffer. The buffer is not referenced afterwards.
    ///
    /// - Parameters:
    ///   - readsSecrets: Whether `{"secret": "…"}` is a secret. Where no secrets are expected it is an ordinary object,
    ///     so that an untrusted file cannot fill the locked memory.
    ///   - arena: The share of locked memory that secrets are charged to.
    static func parse(
        _ bytes: UnsafeRawBufferPointer, readsSecrets: Bool = true, in arena: SecretArena = .own
    ) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes, readsSecrets: readsSecrets, arena: arena)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.index == bytes.count else { throw parser.failure("something follows the value") }
        return value
    }

    private func failure(_ reason: String) -> Failure {
        Failure(reason: reason, offset: index)
    }

    private var current: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try heldText())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): return try number()
        case .some: throw failure("no value starts like this")
        case nil: throw failure("the end came too early")
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { throw failure("no value starts like this") }
        }
        return value
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("nested too deep") }
        index += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw failure("a comma or ] was expected") }
        }
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("nested too deep") }
        index += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw failure("a member's name was expected") }
            let name = try text()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("a colon was expected") }
            skipSpace()
            guard members[name] == nil else { throw failure("a member stands twice") }
            if readsSecrets && name == "secret" {
                guard members.isEmpty, current == UInt8(ascii: "\"") else { throw failure("a secret is a lone text") }
                let secret = try secretText()
                skipSpace()
                guard take(UInt8(ascii: "}")) else { throw failure("a secret stands alone") }
                return .secret(secret)
            }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw failure("a comma or } was expected") }
        }
    }

    /// `[ minus ] int [ frac ] [ exp ]` of RFC 8259, section 6, in at most 40 characters.
    private mutating func number() throws(Failure) -> JSONValue {
        let start = index
        var isInteger = true
        _ = take(UInt8(ascii: "-"))
        let startsWithZero = current == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole == 1 || (whole > 1 && !startsWithZero) else { throw failure("no number") }
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard skipDigits() > 0 else { throw failure("no number") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { throw failure("no number") }
        }
        guard index - start <= 40 else { throw failure("a number of more than 40 characters") }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw failure("no number") }
        return .number(number)
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    /// A quoted text as a `String`.
    private mutating func text() throws(Failure) -> String {
        var scratch: [UInt8] = []
        try unquote { scratch.append($0) }
        guard let string = String(validating: scratch, as: UTF8.self) else { throw failure("no UTF-8") }
        return string
    }

    /// A quoted text that may be a user name. Its bytes are on the heap, where they are wiped.
    private mutating func heldText() throws(Failure) -> String {
        var scratch: [UInt8] = []
        try unquote { scratch.append($0) }
        guard let string = scratch.withUnsafeBytes({ String(onHeap: $0) }) else { throw failure("no UTF-8") }
        return string
    }

    /// A quoted text whose bytes are in locked memory only.
    private mutating func secretText() throws(Failure) -> SecretBytes {
        let start = index
        var count = 0
        try unquote { _ in count += 1 }
        let end = index
        index = start
        let secret = SecretBytes(count: count, in: arena)
        let isText = try secret.withUnsafeMutableBytes { buffer throws(Failure) in
            var position = 0
            try unquote { byte in
                buffer[position] = byte
                position += 1
            }
            return isValidUTF8(UnsafeRawBufferPointer(buffer))
        }
        guard isText, index == end else { throw failure("no UTF-8") }
        return secret
    }

    private mutating func unquote(_ sink: (UInt8) -> Void) throws(Failure) {
        index += 1
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try unescape(sink)
            case 0..<0x20: throw failure("a control character in a text")
            default: sink(byte)
            }
        }
        throw failure("the end came too early")
    }

    private mutating func unescape(_ sink: (UInt8) -> Void) throws(Failure) {
        guard let byte = current else { throw failure("the end came too early") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): sink(byte)
        case UInt8(ascii: "b"): sink(0x08)
        case UInt8(ascii: "f"): sink(0x0C)
        case UInt8(ascii: "n"): sink(0x0A)
        case UInt8(ascii: "r"): sink(0x0D)
        case UInt8(ascii: "t"): sink(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800...0xDBFF).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure("a lone surrogate") }
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low) else { throw failure("a lone surrogate") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure("a lone surrogate") }
            for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { sink(unit) }
        default: throw failure("an unknown escape")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("four hexadecimal digits were expected")
            }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }
}

/// Whether bytes are well-formed UTF-8 (Unicode 15, table 3-7), without copying them.
func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
