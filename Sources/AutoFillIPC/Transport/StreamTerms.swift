// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// Limits for the other end of a stream.
public struct StreamTerms: Sendable {
    /// The largest message that is accepted, in bytes.
    public var sizeLimit: Int
    /// The time limit for a message to arrive, from its first byte on; `nil` for none.
    public var arrivalLimit: Duration?
    /// The time limit for a message to be read by the peer, once the messages before it were.
    public var departureLimit: Duration
    /// Maximum number of bytes queued for writing. A single message may be larger.
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
