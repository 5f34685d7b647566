// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching

/// The server that stands in a field of a form. It orders the rows and decides nothing.
enum FormServer {
    /// Accounts of the server that the form names come first. The form decides nothing by it: nothing is offered for it, or left out.
    static func ordered(_ offers: [DesktopBook.Offer], by server: String?) -> [DesktopBook.Offer] {
        guard let server else { return offers }
        func isMeant(_ offer: DesktopBook.Offer) -> Bool {
            guard let host = Origin(written: offer.identity.service.value)?.host else { return false }
            return host == server || host.hasSuffix("." + server) || server.hasSuffix("." + host)
        }
        return offers.filter(isMeant) + offers.filter { !isMeant($0) }
    }

    /// The host of what stands in a field for a server.
    static func host(_ text: String) -> String? {
        // File transfers and mail have schemes of their own.
        let place = text.prefix(300).split(separator: "://", maxSplits: 1).last
        return place.flatMap { DesktopFilling.origin(writtenByUser: String($0)) }?.host
    }
}
