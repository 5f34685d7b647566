// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// What is to stand inside an entry; what is nothing stays as it is.
public struct EntryTextChanges: Sendable {
    /// The first line.
    public var password: SecretBytes?
    /// The user's line; an empty one takes it away.
    public var user: String?
    /// All `url:` lines.
    public var urls: [String]?
    /// All lines that are nothing else.
    public var notes: SecretBytes?

    /// Changes; without any, nothing is changed.
    public init(password: SecretBytes? = nil, user: String? = nil, urls: [String]? = nil, notes: SecretBytes? = nil) {
        self.password = password
        self.user = user
        self.urls = urls
        self.notes = notes
    }
}

extension EntryText {
    /// A new text.
    ///
    /// - Throws: `PassStoreError` with `invalid` when it would not be read back as what it is.
    public static func new(
        password: SecretBytes, user: String?, urls: [String], notes: SecretBytes?
    ) throws(PassStoreError) -> EntryText {
        try requireLine(password)
        let text = try EntryText(password)
        return try text.changed(EntryTextChanges(user: user, urls: urls, notes: notes))
    }

    /// The text with changes made to it; lines that nobody named stay where they are.
    ///
    /// - Throws: `PassStoreError` with `invalid` when it would not be read back as what it is.
    public func changed(_ changes: EntryTextChanges) throws(PassStoreError) -> EntryText {
        if let password = changes.password { try Self.requireLine(password) }
        var writer = LineWriter()
        writer.append(changes.password ?? password)
        if let user = changes.user, !user.isEmpty { writer.append(SecretBytes(utf8: "user: " + user)) }
        for url in changes.urls ?? [] { writer.append(SecretBytes(utf8: "url: " + url)) }
        for line in lines {
            switch line.kind {
            case .password: continue
            case .user where changes.user != nil: continue
            case .url where changes.urls != nil: continue
            case .note where changes.notes != nil: continue
            default: writer.append(bytes.slice(line.range))
            }
        }
        if let notes = changes.notes, notes.count > 0 { writer.append(notes.trimmingOneFinalNewline()) }
        let text = try EntryText(writer.bytes())
        // Printed and read again: a line of the notes that reads as a user or a service would become one.
        let wanted = changes.urls.map { $0.compactMap { EntryService(line: $0) } } ?? services
        guard text.user == (changes.user.map { $0.isEmpty ? nil : $0 } ?? user),
            Set(text.services) == Set(wanted),
            changes.urls.map({ $0.count == wanted.count }) ?? true,
            text.hasCode == hasCode
        else {
            throw PassStoreError(
                .invalid,
                "The entry would be read back as something else.",
                hint: "No line of the notes may begin with user:, username:, login:, url: or otpauth:."
            )
        }
        return text
    }

    private static func requireLine(_ password: SecretBytes) throws(PassStoreError) {
        let isLine = password.withUnsafeBytes { bytes in
            !bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }
        guard isLine else { throw PassStoreError(.invalid, "A password here is one line.") }
    }
}

/// Puts lines together in locked memory.
private struct LineWriter {
    private var lines: [SecretBytes] = []

    mutating func append(_ line: SecretBytes) {
        lines.append(line)
    }

    func bytes() -> SecretBytes {
        let all = SecretBytes(count: lines.reduce(0) { $0 + $1.count + 1 })
        all.withUnsafeMutableBytes { target in
            var next = 0
            for line in lines {
                line.withUnsafeBytes { source in
                    for byte in source {
                        target[next] = byte
                        next += 1
                    }
                }
                target[next] = UInt8(ascii: "\n")
                next += 1
            }
        }
        return all
    }
}

extension SecretBytes {
    /// A part of the bytes, in locked memory of its own.
    func slice(_ range: Range<Int>) -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
