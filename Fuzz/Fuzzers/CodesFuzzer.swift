// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes

extension Fuzzer {
    /// Messages and links of authenticators: a code is never longer than its message, reading twice gives the same,
    /// and no link traps.
    static let codes = Fuzzer(
        "codes",
        words: [
            "code", "otp", "verification code", "G-", "is your", "login", "do not share", "验证码", "код", "كود", "कोड",
            "@", " #", " %", "\n", "://",
            "otpauth://totp/", "otpauth://hotp/", "otpauth-migration://offline?data=", "secret=", "&digits=8",
            "&algorithm=SHA256", "&counter=",
        ],
        seeds: {
            [
                "Your login code is 123 456. Never share it.",
                "123456 is your code\n@example.com #123456 %frame.example", "G-123456 验证码：١٢٣٤٥٦",
                "Call +1 (415) 555-0134 about order #4821, €12.50, https://a.example/1?b=2",
                "otp-123456 AB3-9KX 6-digit 10min XX1234 1 2 3 4",
                "otpauth://totp/ACME:a?secret=JBSWY3DPEHPK3PXP&issuer=ACME&algorithm=SHA512&digits=8&period=60",
                "otpauth-migration://offline?data=CgcKA2FiYygBMAI%3D",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let message = bytes.bindMemory(to: UInt8.self)
            let reading = SecurityCodeReading(utf8: message)
            precondition(SecurityCodeReading(utf8: message) == reading, "another reading of the same message")
            precondition((reading.code == nil) == (reading.verdictHasNoCode), "a reason that contradicts the verdict")
            // What is not UTF-8 becomes a replacement character of three bytes.
            precondition(
                reading.code.map { $0.text.utf8.count <= 3 * bytes.count && !$0.text.isEmpty } ?? true,
                "an invented code")
            let field = CodeField(document: .host("example.com"), ancestors: [.host("a.example"), .other])
            if let code = reading.code { _ = BoundCodePolicy { $0 == $1 }.verdict(on: code, for: field) }
            _ = try? AuthenticatorLink.read(bytes) { entry, key in
                precondition(!key.isEmpty, "an account without a key")
                key.withUnsafeBytes { _ = entry.generator.code(at: 1_111_111_109, skew: -5, key: $0) }
            }
        })
}

extension SecurityCodeReading {
    fileprivate var verdictHasNoCode: Bool {
        switch reason {
        case .bound, .afterCodeWord, .beforeCodeWord, .nearCodeWord, .entered, .alone: false
        default: true
        }
    }
}
