// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// What the other end of a stream may take up.
public struct StreamTerms: Sendable {
    /// The largest message that is accepted, in bytes.
    public var sizeLimit: Int
    /// The time limit for a message to arrive, from its first byte on; `nil` for none.
    public var arrivalLimit: Duration?
    /// The time limit for a message to be taken, once those before it are.
    public var departureLimit: Duration
    /// The most bytes that may wait to be taken. One message always may.
    public var waitingLimit: Int
    /// The share of locked memory that messages are charged to, both ways.
    public var arena: SecretArena

    public init(
        sizeLimit: Int = Frame.maximumSize, arrivalLimit: Duration? = nil, departureLimit: Duration = .seconds(5),
        waitingLimit: Int = 4 << 20, arena: SecretArena = .own
    ) {
        self.sizeLimit = sizeLimit
        self.arrivalLimit = arrivalLimit
        self.departureLimit = departureLimit
        self.waitingLimit = waitingLimit
        self.arena = arena
    }
}
