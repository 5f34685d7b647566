// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import SecurityCodes

/// What the daemon is told of a mail: its code and the hosts that the code is bound to, a line each. Nothing else of the mail leaves
/// the process that read it.
public enum MailAnswer {
    /// The most bytes of a mail that are read.
    public static let maximumMail = 256 << 10

    /// Reads a mail and returns its code and the two hosts of the code, a line each. A host that is missing is an empty line. A mail
    /// without a code gives no bytes at all.
    public static func answer(to mail: [UInt8]) -> [UInt8] {
        for text in MailText(mail).texts {
            let code = text.withUnsafeBufferPointer { SecurityCodeReading(utf8: $0).code }
            guard let code else { continue }
            return [code.text, code.boundTo ?? "", code.embedded ?? ""].flatMap { Array($0.utf8) + [0x0A] }
        }
        return []
    }
}
