// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// A secret as a member of a message.
///
/// It is `Codable` for messages only. It throws with any other coder, which would make a `String` of the secret.
public struct WireSecret: Codable, Sendable, Equatable {
    public let bytes: SecretBytes

    public init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? WireDecoder, case .secret(let bytes) = decoder.value else {
            throw DecodingError.typeMismatch(
                WireSecret.self, .init(codingPath: decoder.codingPath, debugDescription: "a secret was expected"))
        }
        self.bytes = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? WireEncoder else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "a secret travels in messages only"))
        }
        encoder.value = .secret(bytes)
    }
}
