// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// The keys of one vault, and the places that they seal for.
struct VaultKeys: Sendable {
    let seal: SealKey
    let manifest: AuthenticationKey

    /// - Returns: nil unless the container key has 32 bytes.
    init?(container: SecretBytes) {
        guard container.count == 32, let seal = SealKey(container.derivingKey(label: "latchkey-vault/1 seal")),
            let manifest = AuthenticationKey(container.derivingKey(label: "latchkey-vault/1 manifest"))
        else { return nil }
        self.seal = seal
        self.manifest = manifest
    }

    /// The place of one column of one item. An identifier has no space, so no two places have the same text.
    static func place(_ column: ItemRow.Column, of id: String) -> [UInt8] {
        Array("latchkey-vault/1 item \(column.rawValue) \(id)".utf8)
    }

    static func place(authenticatorOf id: String) -> [UInt8] {
        Array("latchkey-vault/1 authenticator \(id)".utf8)
    }

    static func place(meta name: String) -> [UInt8] {
        Array("latchkey-vault/1 meta \(name)".utf8)
    }

    static func place(outbox sequence: Int64) -> [UInt8] {
        Array("latchkey-vault/1 outbox \(sequence)".utf8)
    }
}
