// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A code out of a message, with the hosts that it is bound to.
public struct SecurityCode: Hashable, Sendable {
    /// What has to be typed.
    public let text: String
    /// The host whose top-level documents may be offered the code, as the message writes it; nothing if it is bound to
    /// none.
    public let boundTo: String?
    /// The host of the framed documents that may be offered it instead, as the message writes it.
    public let embedded: String?

    public init(text: String, boundTo: String? = nil, embedded: String? = nil) {
        self.text = text
        self.boundTo = boundTo
        self.embedded = boundTo == nil ? nil : embedded
    }

    /// The code of a message; nothing if it has none.
    public init?(message: String) {
        guard let code = SecurityCodeReading(message).code else { return nil }
        self = code
    }
}

extension SecurityCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the code.
    public var description: String { "SecurityCode(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
