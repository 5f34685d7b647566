// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the site said about one app and one domain, and when it is to be asked again.
///
/// A value that changes by what was found and the time; it asks nobody itself.
///
/// - A yes counts from the moment it came. The site is asked again after a week.
/// - A no counts at once, and is asked about again after a week.
/// - Where the site cannot be asked (no connection, no valid certificate, 500 to 599), it is asked again every three hours,
///   eight times. An earlier yes counts until then, because who can cut a connection must not be able to take an app's
///   passwords away in that moment; when the tries are used up it does not count any more.
/// - Whatever happens, a yes counts for thirty days at most.
public struct AssociationState: Hashable, Sendable {
    /// When the site last said yes, while that counts.
    public internal(set) var approved: Int64?
    /// When the site was last asked.
    public internal(set) var checked: Int64?
    /// When it is to be asked again.
    public internal(set) var next: Int64
    /// Failures in a row that were due.
    public internal(set) var failures: Int
    public internal(set) var denial: AssociationDenial?
    public internal(set) var trouble: AssociationTrouble?

    static let week: Int64 = 7 * 86_400
    static let retrySpan: Int64 = 3 * 3_600
    static let retryLimit = 8
    static let approvalSpan: Int64 = 30 * 86_400
    static let clockSlack: Int64 = 3_600
    /// Checks that would fall together are spread over half a day.
    static let spread: Int64 = 12 * 3_600

    /// Not asked yet, and due.
    init(declared now: Int64) {
        next = now
        failures = 0
    }

    /// Takes note of what was found.
    ///
    /// - Parameters:
    ///   - host: Spreads the next check, so that what was declared together is not asked together for ever.
    ///   - now: In seconds since 1970.
    mutating func take(_ finding: AssociationFinding, host: String, at now: Int64) {
        let wasDue = isDue(at: now)
        checked = now
        switch finding {
        case .approved:
            approved = now
            settle(host, at: now)
        case .denied(let reason):
            approved = nil
            settle(host, at: now)
            denial = reason
        case .trouble(let reason):
            trouble = reason
            // Asked out of turn, because the app was started or the user wanted to know: that uses up no try.
            guard wasDue else { return }
            failures += 1
            if failures > Self.retryLimit {
                approved = nil
                denial = nil
                next = now + Self.week + Self.offset(of: host)
            } else {
                next = now + Self.retrySpan
            }
        }
    }

    /// Whether it is time to ask. A time that no clock of today could have set counts as due.
    func isDue(at now: Int64) -> Bool {
        next <= now || next > now + Self.week + Self.spread + Self.clockSlack
            || (checked ?? now) > now + Self.clockSlack
    }

    /// How things stand, as of the last check.
    public var verdict: AssociationVerdict {
        if let trouble {
            if failures > Self.retryLimit { return .unreachable(trouble) }
            if failures > 0 { return .retrying(trouble, failures: failures, next: next, isApproved: approved != nil) }
        }
        if approved != nil { return .siteApproved }
        if let denial { return .siteDenied(denial) }
        return .pending
    }

    private mutating func settle(_ host: String, at now: Int64) {
        denial = nil
        trouble = nil
        failures = 0
        next = now + Self.week + Self.offset(of: host)
    }

    /// The same for a host each time (FNV-1a), different for most hosts.
    private static func offset(of host: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in host.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64(hash % UInt64(spread))
    }
}
