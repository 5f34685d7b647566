// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

/// The codes received in the last minutes, the newest first. Expired, used and surplus codes are dropped, and with them their locked
/// memory.
struct CodeShelf: Sendable {
    /// Maximum number of codes. Each source is sure of an equal share of it.
    static let limit = 32

    /// The result of adding a received code.
    enum Addition: Equatable, Sendable {
        /// It is new and will be offered.
        case new
        /// Another way brought it before: it is offered already.
        case known
        /// It was filled already, and is not offered again.
        case used
    }

    private var kept: [ReceivedCode] = []
    /// Codes that were filled. The same message may arrive by a second source: its code is not offered again.
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

    /// Inserts a code. Where there is one too many, the source with the most codes gives up an older one: its oldest that is bound to no
    /// site, or else its oldest.
    private mutating func insert(_ code: ReceivedCode) {
        kept.insert(code, at: kept.firstIndex { $0.received <= code.received } ?? kept.endIndex)
        guard kept.count > Self.limit else { return }
        let largest = largestSource(afterOneFrom: code.origin)
        let older = kept.indices.filter { kept[$0].origin == largest && kept[$0].id != code.id }
        if let surplus = older.last(where: { kept[$0].boundTo == nil }) ?? older.last { kept.remove(at: surplus) }
    }

    /// The source with the most codes, which gives one up; of several, the one that has just brought one.
    ///
    /// A source with no more than its equal share of the limit is never the largest, so no flood from another source takes its codes.
    private func largestSource(afterOneFrom newest: CodeOrigin) -> CodeOrigin {
        let counts = kept.reduce(into: [CodeOrigin: Int]()) { $0[$1.origin, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return counts[newest] == most ? newest : CodeOrigin.allCases.first { counts[$0] == most } ?? newest
    }

    /// The codes that may still be offered, the newest first.
    mutating func codes(at now: ContinuousClock.Instant, lifetime: Duration) -> [ReceivedCode] {
        prune(at: now, lifetime: lifetime)
        return kept
    }

    /// The code with an identifier, if it may still be offered.
    mutating func code(_ id: String, at now: ContinuousClock.Instant, lifetime: Duration) -> ReceivedCode? {
        codes(at: now, lifetime: lifetime).first { $0.id == id }
    }

    /// The instant when the next code expires; `nil` if there is none to be offered.
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

    /// Drops codes that have reached their lifetime, and codes dated in the future.
    private mutating func prune(at now: ContinuousClock.Instant, lifetime: Duration) {
        kept.removeAll { now - $0.received >= lifetime || $0.received > now }
        used.removeAll { now - $0.at >= .seconds(PreferencesFile.codeLifetimes.upperBound) }
    }
}
