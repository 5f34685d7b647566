// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A server as a program of this machine names it.
///
/// The program talks to the server itself, and has checked its certificate or not. So the name is that program's word: what rests on
/// it takes the user's yes to that program and that server.
public struct NamedServer: Hashable, Sendable {
    public let origin: Origin

    public init(_ origin: Origin) {
        self.origin = origin
    }
}
