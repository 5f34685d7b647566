// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A host of which is known that it names an app as its own, or all hosts below one.
///
/// Whoever makes one has verified the association; this is only its shape.
public struct AssociatedHost: Hashable, Sendable {
    /// In the form of `Origin.host`.
    public let host: String
    /// Whether it stands for every host below `host` (`*.host`) instead of for `host`.
    public let coversSubdomains: Bool

    /// Reads `host` or `*.host`, without scheme, port or path; nothing for anything else.
    public init?(written text: String) {
        coversSubdomains = text.hasPrefix("*.")
        let name = coversSubdomains ? String(text.dropFirst(2)) : text
        guard let host = Host(name)?.name, !host.hasPrefix("[") else { return nil }
        self.host = host
    }
}
