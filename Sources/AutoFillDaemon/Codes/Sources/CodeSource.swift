// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// A source of messages with codes. It keeps no message, and reports its failures as a state: none of them affects the daemon.
protocol CodeSource: Sendable {
    /// The kind of source.
    var origin: CodeOrigin { get }

    /// Begins to listen, on a thread of its own, until the waker wakes.
    ///
    /// - Parameters:
    ///   - waker: ends the listening when it wakes.
    ///   - report: receives the state of the source when it changes.
    ///   - deliver: receives the messages and codes.
    func start(
        until waker: Waker, report: @escaping @Sendable (CodeSourceState) -> Void,
        deliver: @escaping @Sendable (CodeDelivery) -> Void)
}

/// A message or code that a source delivers.
enum CodeDelivery: Sendable {
    /// The texts of a message, the likeliest to hold the code first.
    case texts([SecretBytes])
    /// The code of a mail, which another process has read.
    case mail(MailCode)
}

/// The state of a code source.
enum CodeSourceState: Sendable, Hashable {
    /// It listens.
    case ready(String)
    /// Its service is not available now, which is normal; it tries again.
    case waiting(String)
    /// It is not set up, so it does not listen.
    case off(String)

    var word: String {
        switch self {
        case .ready: "ready"
        case .waiting: "waiting"
        case .off: "off"
        }
    }

    /// The description for display.
    var detail: String {
        switch self {
        case .ready(let detail), .waiting(let detail), .off(let detail): detail
        }
    }
}
