// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A method of the wire: its name, its parameters and its result. `docs/protocol.md` specifies each one.
public protocol WireMethod: SendableMetatype {
    associatedtype Params: Codable & Sendable
    associatedtype Answer: Codable & Sendable
    static var name: String { get }
}

/// Parameters or a result without members.
public struct Empty: Codable, Sendable, Equatable {
    public init() {}
}
