// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

/// The codes that came in the last minutes, the newest first. What is too old, was used, or is too much is dropped, and with it
/// its locked memory.
struct CodeShelf: Sendable {
    /// Codes that are kept at most.
    static let limit = 32

    /// What becomes of a code that came.
    enum Addition: Equatable, Sendable {
        /// There is one more to be offered.
        case new
        /// Another way brought it before: it is offered already.
        case known
        /// It was filled already, and is not offered again.
        case used
    }

    private var kept: [ReceivedCode] = []
    /// What was filled. The same message may come by a second way: its code is not offered again.
    private var used: [(secret: HeldSecret, at: ContinuousClock.Instant)] = []

    /// Keeps a code.
    ///
    /// Of two messages with the same code the one that binds it counts.
    mutating func add(_ code: ReceivedCode, lifetime: Duration) -> Addition {
        prune(at: code.received, lifetime: lifetime)
        guard !used.contains(where: { $0.secret.isSame(as: code.secret) }) else { return .used }
        if let same = kept.firstIndex(where: { $0.secret.isSame(as: code.secret) }) {
            guard kept[same].boundTo == nil, code.boundTo != nil else {
                guard kept[same].boundTo == code.boundTo || code.boundTo == nil else {
                    // The same digits for two hosts are two codes.
                    insert(code)
                    return .new
                }
                return .known
            }
            kept.remove(at: same)
        }
        insert(code)
        return .new
    }

    private mutating func insert(_ code: ReceivedCode) {
        kept.insert(code, at: kept.firstIndex { $0.received <= code.received } ?? kept.endIndex)
        if kept.count > Self.limit { kept.removeLast() }
    }

    /// Those that may still be offered, the newest first.
    mutating func codes(at now: ContinuousClock.Instant, lifetime: Duration) -> [ReceivedCode] {
        prune(at: now, lifetime: lifetime)
        return kept
    }

    /// One of them.
    mutating func code(_ id: String, at now: ContinuousClock.Instant, lifetime: Duration) -> ReceivedCode? {
        codes(at: now, lifetime: lifetime).first { $0.id == id }
    }

    /// When the next of those that may still be offered is too old.
    mutating func nextExpiry(after now: ContinuousClock.Instant, lifetime: Duration) -> ContinuousClock.Instant? {
        codes(at: now, lifetime: lifetime).map { $0.received + lifetime }.min()
    }

    /// Drops a code that was filled, and every other one of the same digits.
    mutating func use(_ code: ReceivedCode, at now: ContinuousClock.Instant) {
        kept.removeAll { $0.id == code.id || $0.secret.isSame(as: code.secret) }
        used.append((code.secret, now))
    }

    /// Drops everything.
    mutating func wipe() {
        kept = []
        used = []
    }

    /// A code is good for so long and not a moment longer; one from the future is good for nothing.
    private mutating func prune(at now: ContinuousClock.Instant, lifetime: Duration) {
        kept.removeAll { now - $0.received >= lifetime || $0.received > now }
        used.removeAll { now - $0.at >= .seconds(PreferencesFile.codeLifetimes.upperBound) }
    }
}
