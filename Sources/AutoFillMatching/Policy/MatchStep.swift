// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// One step of the reasoning that led to a decision.
enum MatchStep: Hashable, Sendable, CustomStringConvertible {
    case savedFor(Origin)
    case insecureAncestor(Origin)
    case sameHost(Origin)
    case neverOnHTTP
    case port(UInt16)
    case sameSite(page: Origin, saved: Origin)
    case shared(page: Origin, saved: Origin)
    case stranger(Origin)
    case framesOfOneSite
    case frame(Origin, top: Origin)
    case asksForOthers(Origin)
    case local(Origin)
    case associated(AssociatedHost)
    case refused(MatchRefusal)

    var description: String {
        switch self {
        case .savedFor(let saved): "it was saved for \(saved)"
        case .insecureAncestor(let ancestor): "\(ancestor), around the form, was not delivered securely"
        case .sameHost(let page): "\(page.host) is the host it was saved for"
        case .neverOnHTTP: "what was saved for https is never offered on http"
        case .port(let port): "this page is on port \(port)"
        case .sameSite(let page, let saved): "\(page.host) is of the same site as \(saved.host), which it was saved for"
        case .shared(let page, let saved): "\(page.host) shares its accounts with \(saved.host), which it was saved for"
        case .stranger(let page): "\(page.host) is not of the site that it was saved for"
        case .framesOfOneSite: "every document around the form is of its site and was delivered securely"
        case .frame(let frame, let top): "the form is in a frame of \(frame.host) inside a page of \(top.host)"
        case .asksForOthers(let frame):
            "\(frame.host) is known to ask for credentials of other services in such frames"
        case .local(let page): "\(page.host) is on the local network and not encrypted"
        case .associated(let host): "the app is associated with \(host)"
        case .refused(let refusal): refusal.rawValue
        }
    }
}
