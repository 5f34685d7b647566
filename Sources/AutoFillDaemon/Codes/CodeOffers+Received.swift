// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching
internal import AutoFillRelease

extension CodeOffers {
    /// The codes that may be offered, and the hosts of those that may not. Codes bound to this place come first, then unbound ones; each
    /// group is ordered newest first.
    func offers(of codes: [ReceivedCode], in chain: FrameChain) -> (
        offered: [(code: ReceivedCode, standing: Standing)], withheld: [String]
    ) {
        let all = codes.map { (code: $0, standing: standing(of: $0.binding, in: chain)) }
        let offered = all.enumerated().filter { $0.element.standing.order < 3 }.sorted { one, other in
            (one.element.standing.order, one.offset) < (other.element.standing.order, other.offset)
        }.map(\.element)
        var withheld: [String] = []
        for (code, standing) in all {
            guard case .refused = standing, let host = code.shownHost, !withheld.contains(host) else { continue }
            withheld.append(host)
        }
        return (offered, withheld)
    }
}
