// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// What stands inside an entry, in locked memory.
///
/// The first line is the password. Of the others, the first `user:`, `username:` or `login:` line names the user, each
/// `url:` line a service, each `otpauth://` line holds the key of one-time codes; the rest is notes. Names of lines are
/// read in any case, with blanks around them.
public struct EntryText: Sendable {
    /// So many bytes of text are read at most.
    public static let byteLimit = 256 * 1024
    /// So many bytes a password has at most.
    public static let passwordLimit = 4096
    private static let valueLimit = 1024
    private static let serviceLimit = 64

    enum Kind { case password, user, url, code, note }

    struct Line {
        let kind: Kind
        let range: Range<Int>
    }

    /// All of it.
    public let bytes: SecretBytes
    /// Whom a line says it belongs to.
    public let user: String?
    /// What `url:` lines say it is for, each once.
    public let services: [EntryService]
    let lines: [Line]

    /// Reads a text.
    ///
    /// - Throws: `PassStoreError` with `invalid` when there is no password that can be filled in the first line.
    public init(_ bytes: SecretBytes) throws(PassStoreError) {
        guard bytes.count <= Self.byteLimit else { throw PassStoreError(.invalid, "The entry is too long.") }
        var lines: [Line] = []
        var user: String?
        var services: [EntryService] = []
        bytes.withUnsafeBytes { text in
            for range in Self.ranges(text) {
                guard !lines.isEmpty else {
                    lines.append(Line(kind: .password, range: range))
                    continue
                }
                let line = UnsafeRawBufferPointer(rebasing: text[range])
                var kind = Kind.note
                switch LineName(line) {
                case .user where user == nil:
                    user = Self.value(line)
                    if user != nil { kind = .user }
                case .url:
                    guard services.count < Self.serviceLimit,
                        let service = Self.value(line).flatMap({ EntryService(line: $0) })
                    else { break }
                    kind = .url
                    if !services.contains(service) { services.append(service) }
                case .code: kind = .code
                default: break
                }
                lines.append(Line(kind: kind, range: range))
            }
        }
        (self.bytes, self.lines, self.user, self.services) = (bytes, lines, user, services)
        try Self.requirePassword(password)
    }

    /// The first line.
    public var password: SecretBytes { joined(.password, lineEnds: false) }

    /// The lines that are nothing else, as they stand.
    public var notes: SecretBytes { joined(.note, lineEnds: true).trimmingOneFinalNewline() }

    /// Whether there is the key of one-time codes.
    public var hasCode: Bool { lines.contains { $0.kind == .code } }

    /// The first line that holds the key of one-time codes.
    public var code: SecretBytes? { lines.first { $0.kind == .code }.map { bytes.slice($0.range) } }

    private static func requirePassword(_ password: SecretBytes) throws(PassStoreError) {
        guard password.count > 0 else { throw PassStoreError(.invalid, "There is no password in its first line.") }
        guard password.count <= passwordLimit else { throw PassStoreError(.invalid, "Its password is too long.") }
        let isText = password.withUnsafeBytes { bytes in
            !bytes.contains(0) && Unicode.UTF8.isWellFormed(bytes)
        }
        guard isText else { throw PassStoreError(.invalid, "Its password is not text.") }
    }

    private func joined(_ kind: Kind, lineEnds: Bool) -> SecretBytes {
        let wanted = lines.filter { $0.kind == kind }.map(\.range)
        let joined = SecretBytes(count: wanted.reduce(0) { $0 + $1.count + (lineEnds ? 1 : 0) })
        bytes.withUnsafeBytes { text in
            joined.withUnsafeMutableBytes { target in
                var next = 0
                for range in wanted {
                    for byte in text[range] {
                        target[next] = byte
                        next += 1
                    }
                    guard lineEnds else { continue }
                    target[next] = UInt8(ascii: "\n")
                    next += 1
                }
            }
        }
        return joined
    }

    /// The lines without their ends (LF or CR LF); none after a final line end.
    private static func ranges(_ text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < text.count || ranges.isEmpty {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            let isCarried = end > start && end < text.count && text[end - 1] == UInt8(ascii: "\r")
            ranges.append(start..<(isCarried ? end - 1 : end))
            start = end + 1
        }
        return ranges
    }

    /// What stands after the colon, when it is text that can be shown.
    private static func value(_ line: UnsafeRawBufferPointer) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var value = line[(colon + 1)...]
        while let first = value.first, LineName.isBlank(first) { value = value.dropFirst() }
        while let last = value.last, LineName.isBlank(last) { value = value.dropLast() }
        guard (1...valueLimit).contains(value.count), let text = String(validating: value, as: UTF8.self),
            !text.unicodeScalars.contains(where: NameFault.controls)
        else { return nil }
        return text
    }
}

extension Unicode.UTF8 {
    /// Whether bytes are UTF-8, found out without making a `String` of them.
    fileprivate static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
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

/// What a line says by its beginning.
enum LineName {
    case user, url, code, other

    init(_ line: UnsafeRawBufferPointer) {
        var name: [UInt8] = []
        for byte in line.prefix(64) {
            if byte == UInt8(ascii: ":") { break }
            name.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        guard name.count < line.count else {
            self = .other
            return
        }
        while let first = name.first, Self.isBlank(first) { name.removeFirst() }
        while let last = name.last, Self.isBlank(last) { name.removeLast() }
        self =
            switch String(decoding: name, as: UTF8.self) {
            case "user", "username", "login": .user
            case "url": .url
            case "otpauth": .code
            default: .other
            }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
