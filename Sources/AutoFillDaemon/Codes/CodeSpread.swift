// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis

/// Distributes a code over the fields that ask for one: all of it into a single field, or one character into each box of a row.
struct CodeSpread: Sendable {
    private let fields: [FieldRoleAnswer]

    /// - Parameter fields: those of the role `one-time-code`, in the page's order.
    init(_ fields: [FieldRoleAnswer]) {
        self.fields = fields.filter { $0.role == FieldRole.oneTimeCode.rawValue }
    }

    /// The reason why a code does not fit the fields; `nil` if it fits. Check this before the user is asked and the code is used up.
    func misfit(of secret: HeldSecret) -> String? {
        guard !fields.isEmpty else { return "the page asks for no code" }
        guard fields.count > 1, secret.byteCount != fields.count else { return nil }
        return "the code has another number of characters than the page has boxes"
    }

    /// The values of the fields; empty if the code does not fit.
    func fills(_ code: WireSecret) -> [Fill] {
        guard let first = fields.first else { return [] }
        guard fields.count > 1 else { return [Fill(ref: first.ref, role: first.role, value: code)] }
        // Codes are ASCII: a byte is a character.
        return code.bytes.withUnsafeBytes { bytes in
            guard bytes.count == fields.count, bytes.allSatisfy({ $0 < 0x80 }) else { return [] }
            return fields.enumerated().map { index, field in
                let character = SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[index..<(index + 1)]))
                return Fill(ref: field.ref, role: field.role, value: WireSecret(character))
            }
        }
    }
}

extension SuggestionBook.Session {
    /// Whether the fields ask for a code, and not for a user name and a password.
    var asksForCode: Bool { fields.contains { $0.role == FieldRole.oneTimeCode.rawValue } }
}
