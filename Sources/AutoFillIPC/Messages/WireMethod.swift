// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A method of the wire: its name, what it takes and what it answers. `docs/protocol.md` states each.
public protocol WireMethod: SendableMetatype {
    associatedtype Params: Codable & Sendable
    associatedtype Answer: Codable & Sendable
    static var name: String { get }
}

/// Parameters or a result without members.
public struct Empty: Codable, Sendable, Equatable {
    public init() {}
}

extension Peer {
    /// Asks the other side with a method's own types; throws as `call(_:_:timeout:)` does, and `invalidParams` for an answer
    /// of the wrong shape.
    public func call<M: WireMethod>(_ method: M.Type, _ params: M.Params, timeout: Duration? = nil) async throws
        -> M.Answer
    {
        try await call(M.name, JSONValue(encoding: params), timeout: timeout).decoded()
    }
}
