// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Something that messages with codes come from. It keeps no message, and what goes wrong with it is a state and never the
/// daemon's concern.
protocol CodeSource: Sendable {
    /// Which one it is.
    var origin: CodeOrigin { get }

    /// Begins to listen, on a thread of its own, until the waker wakes.
    ///
    /// - Parameters:
    ///   - waker: ends it.
    ///   - report: is told how things stand.
    ///   - deliver: takes what came.
    func start(
        until waker: Waker, report: @escaping @Sendable (CodeSourceState) -> Void,
        deliver: @escaping @Sendable (CodeDelivery) -> Void)
}

/// What a source brings.
enum CodeDelivery: Sendable {
    /// The texts of a message, the likeliest to hold the code first.
    case texts([SecretBytes])
    /// The code of a mail, which another process has read.
    case mail(MailCode)
}

/// How things stand with a source.
enum CodeSourceState: Sendable, Hashable {
    /// It listens.
    case ready(String)
    /// What it listens to is not there now, which is a normal state; it looks again.
    case waiting(String)
    /// Nobody wants it.
    case off(String)

    var word: String {
        switch self {
        case .ready: "ready"
        case .waiting: "waiting"
        case .off: "off"
        }
    }

    /// In words.
    var detail: String {
        switch self {
        case .ready(let detail), .waiting(let detail), .off(let detail): detail
        }
    }
}
