// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a mail says, as far as a code may be in it: its first readable text, and its subject (RFC 5322, RFC 2045 to 2047).
///
/// Whatever is odd is passed over. Attachments and everything behind the first text are not looked at. The time is linear in the
/// size, and no part is looked into deeper than `depthLimit`.
struct MailText: Sendable {
    private static let depthLimit = 4
    private static let partLimit = 32

    /// The text, then the subject; what there is of them.
    let texts: [[UInt8]]

    init(_ mail: [UInt8]) {
        let part = MailPart(mail[...])
        let body = Self.text(of: part, depth: 0) ?? []
        let subject = part.header("subject").map { EncodedWords.decoded($0) } ?? []
        texts = [Self.withoutEnd(body), subject].filter { !$0.isEmpty }
    }

    /// The first plain text of a part, or else the first HTML's.
    private static func text(of part: MailPart, depth: Int) -> [UInt8]? {
        let type = part.contentType
        if type.isAttachment { return nil }
        switch type.name {
        case "text/plain": return part.decodedBody
        case "text/html": return HTMLWords.text(part.decodedBody)
        case "multipart/alternative", "multipart/mixed", "multipart/related", "multipart/signed", "multipart/report":
            guard depth < depthLimit, let boundary = type.boundary else { return nil }
            let parts = part.parts(boundary, limit: partLimit).map { MailPart($0) }
            if let plain = parts.first(where: { $0.contentType.name == "text/plain" && !$0.contentType.isAttachment }) {
                return plain.decodedBody
            }
            for part in parts {
                if let text = text(of: part, depth: depth + 1) { return text }
            }
            return nil
        default: return nil
        }
    }

    /// A mail's text ends with line ends, behind which no line that binds a code would be the last.
    private static func withoutEnd(_ text: [UInt8]) -> [UInt8] {
        let end = text.lastIndex { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 } ?? -1
        return Array(text[...end])
    }
}
