// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

extension LoginKey {
    private static let format = "latchkey-login-key"
    private static let version = 1
    /// A login key has less than 1 KiB.
    private static let byteLimit = 16 * 1024

    /// Reads a login key exactly as `encoded` writes it.
    ///
    /// - Throws: `SecretsError` with `unsupportedVersion`, `costOutOfBounds` or `damaged`.
    public init(decoding bytes: [UInt8]) throws {
        guard bytes.count <= Self.byteLimit, let body = try? BoundedJSON.decode(Body.self, from: bytes),
            body.format == Self.format
        else {
            throw Self.damaged("it is not a login key")
        }
        guard body.version == Self.version else {
            throw SecretsError(.unsupportedVersion, "the login key has the unknown version \(body.version)")
        }
        self.init(
            generation: try Self.bytes(body.generation, 16, "generation"),
            cost: try Argon2Cost(
                memoryKiB: body.memoryKiB, iterations: body.iterations, parallelism: body.parallelism),
            salt: try Self.bytes(body.salt, 16, "salt"),
            wrapped: try Self.bytes(body.wrapped, 32 + SealKey.overhead, "wrapped"))
        guard encoded() == bytes else { throw Self.damaged("its layout is wrong") }
    }

    /// The only encoding of the login key: JSON in a fixed layout. What it holds is authenticated when it is unwrapped.
    public func encoded() -> [UInt8] {
        let text = """
            {
              "format": "\(Self.format)",
              "version": \(Self.version),
              "generation": "\(Data(generation).base64EncodedString())",
              "memoryKiB": \(cost.memoryKiB),
              "iterations": \(cost.iterations),
              "parallelism": \(cost.parallelism),
              "salt": "\(Data(salt).base64EncodedString())",
              "wrapped": "\(Data(wrapped).base64EncodedString())"
            }

            """
        return Array(text.utf8)
    }

    private struct Body: Decodable {
        let format: String
        let version: Int
        let generation: String
        let memoryKiB: UInt32
        let iterations: UInt32
        let parallelism: UInt32
        let salt: String
        let wrapped: String
    }

    private static func bytes(_ text: String, _ count: Int, _ member: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: text), data.count == count else {
            throw damaged("the member \(member) is wrong")
        }
        return Array(data)
    }

    private static func damaged(_ why: String) -> SecretsError {
        SecretsError(.damaged, "the login key is damaged: \(why)")
    }
}
