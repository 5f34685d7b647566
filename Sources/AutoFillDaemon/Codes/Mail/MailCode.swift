// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// A mail's code and the hosts that it is bound to, from the three lines that `latchkey-mail` answers. The daemon has never read the mail
/// itself, and does not trust the process that has.
struct MailCode: Sendable {
    /// Maximum length of a code in bytes.
    static let maximumCode = 64
    static let maximumHost = 253

    let secret: SecretBytes
    let boundTo: String?
    let embedded: String?

    /// Parses an answer; `nil` for a mail without a code, and for an answer in any other format.
    init?(_ answer: [UInt8]) {
        let lines = answer.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, (1...Self.maximumCode).contains(lines[0].count),
            String(validating: lines[0], as: UTF8.self).map(Self.isPlain) == true,
            let boundTo = Self.host(lines[1]), let embedded = Self.host(lines[2]),
            !boundTo.isEmpty || embedded.isEmpty
        else { return nil }
        secret = Array(lines[0]).withUnsafeBytes { SecretBytes(copying: $0) }
        self.boundTo = boundTo.isEmpty ? nil : boundTo
        self.embedded = embedded.isEmpty ? nil : embedded
    }

    private static func host(_ line: ArraySlice<UInt8>) -> String? {
        guard line.count <= maximumHost, let text = String(validating: line, as: UTF8.self), isPlain(text),
            !text.contains(" ")
        else { return nil }
        return text
    }

    /// Whether a text has no character that moves, hides or breaks the text beside it.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
    }
}
