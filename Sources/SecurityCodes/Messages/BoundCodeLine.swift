// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The last line of a message that binds its code to a host, read as "Origin-bound one-time codes delivered via SMS"
/// parses it.
struct BoundCodeLine {
    let host: String
    let code: String
    let embeddedHost: String?

    /// Nothing where the last line has another form.
    init?(_ message: UnsafeBufferPointer<UInt8>) {
        // A deviation: white space at the end is passed over. Modems and mail servers end messages with CR LF, and the draft would
        // then find an empty last line.
        var end = message.count
        while end > 0, Self.isSpace(message[end - 1]) { end -= 1 }
        // "Let line be the last line of message": after the last line feed or carriage return, since CR LF and CR
        // become LF.
        var start = end
        while start > 0, message[start - 1] != 0x0A, message[start - 1] != 0x0D { start -= 1 }
        var position = start
        // "Extracting a marked token with marker @", "If the code point is not U+0020, return failure."
        guard let host = Self.token(marker: "@", in: message, &position), position < message.count,
            message[position] == 0x20
        else {
            return nil
        }
        position += 1
        guard let code = Self.token(marker: "#", in: message, &position) else { return nil }
        var embeddedHost: String?
        if position < message.count, message[position] == 0x20 {
            position += 1
            // The draft marks the embedded host with %, and once did with @. "If embedded host is failure, set
            // embedded origin to null."
            var atPosition = position
            embeddedHost =
                Self.token(marker: "%", in: message, &position) ?? Self.token(marker: "@", in: message, &atPosition)
        }
        (self.host, self.code, self.embeddedHost) = (host, code, embeddedHost)
    }

    /// "Extract a marked token": the marker, then at least one character that is not ASCII white space.
    private static func token(
        marker: Unicode.Scalar, in text: UnsafeBufferPointer<UInt8>, _ position: inout Int
    ) -> String? {
        guard position < text.count, text[position] == UInt8(ascii: marker) else { return nil }
        var end = position + 1
        while end < text.count, !isSpace(text[end]) { end += 1 }
        guard end > position + 1 else { return nil }
        defer { position = end }
        return String(decoding: text[(position + 1)..<end], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }
}
