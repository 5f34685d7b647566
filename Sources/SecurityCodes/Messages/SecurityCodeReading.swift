// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a message is read as: its code, if it brings one for a field of a page or of an app, and the reason for the
/// verdict.
///
/// A message whose last line binds a code to a host is read by the rules of "Origin-bound one-time codes delivered via
/// SMS" and nothing else.
/// Every other text is read by heuristics in some thirty languages. The time is linear in the length of the text,
/// whatever is in it.
public struct SecurityCodeReading: Hashable, Sendable {
    /// Nothing for a message without a code.
    public let code: SecurityCode?
    public let reason: CodeReason

    /// Reads a message.
    public init(_ message: String) {
        var message = message
        self = message.withUTF8 { SecurityCodeReading(utf8: $0) }
    }

    /// Reads a message from its UTF-8; bytes that are none are passed over.
    public init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        if let bound = BoundCodeLine(bytes) {
            code = SecurityCode(text: bound.code, boundTo: bound.host, embedded: bound.embeddedHost)
            reason = .bound
            return
        }
        var text = MessageText()
        text.load(bytes)
        (code, reason) = text.folded.withUnsafeBufferPointer { folded in
            text.plain.withUnsafeBufferPointer { plain in
                var lexer = MessageLexer(folded: folded, plain: plain, lexicon: .shared)
                lexer.read()
                var choice = CodeChoice(text, folded: folded, lexer)
                let (token, reason) = choice.choose()
                return (token.map { SecurityCode(text: Self.typed($0, plain)) }, reason)
            }
        }
    }

    /// A code as it is typed: groups of digits without what separates them.
    private static func typed(_ token: MessageToken, _ plain: UnsafeBufferPointer<UInt32>) -> String {
        var text = ""
        for place in token.start..<token.end {
            let isSeparator = plain[place] == 0x20 || plain[place] == 0x2D
            if isSeparator, token.number != .mixed, token.number != .letters { continue }
            if let scalar = Unicode.Scalar(plain[place]) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
