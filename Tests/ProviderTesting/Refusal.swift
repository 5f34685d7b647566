// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The code and the reason of what a call throws.
public struct Refusal: Equatable, Sendable, CustomStringConvertible {
    /// The code on the wire; 0 for an error that is none of the wire's.
    public let code: Int
    /// The reason beside it.
    public let reason: String?

    /// What is expected.
    public init(_ code: Int, _ reason: String? = nil) {
        self.code = code
        self.reason = reason
    }

    /// For test failures.
    public var description: String { "\(code) \(reason ?? "")" }

    /// Runs a call; nothing when it throws nothing.
    public nonisolated(nonsending) static func of(_ body: () async throws -> some Any) async -> Refusal? {
        do {
            _ = try await body()
            return nil
        } catch let error as WireError {
            return Refusal(error.code.rawValue, error.reason)
        } catch {
            return Refusal(0, "\(error)")
        }
    }
}
