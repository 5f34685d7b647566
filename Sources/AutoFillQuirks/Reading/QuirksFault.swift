// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why a file is not what it should be: one clause, whose quotations are bounded and printable.
public struct QuirksFault: Error, Equatable, Sendable {
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// A piece of a stranger's file as a message may hold it.
    static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.prefix(64).map { scalar in
            (0x20...0x7E).contains(scalar.value)
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
        return "“\(plain.joined())\(text.unicodeScalars.count > 64 ? "…" : "")”"
    }
}
