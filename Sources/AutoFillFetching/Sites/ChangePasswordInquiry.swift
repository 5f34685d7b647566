// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching
internal import FormAnalysis

/// Whether `/.well-known/change-password` leads to where a password is changed ("A Well-Known URL for Changing Passwords", W3C).
///
/// A value: it says what to download next and is told what became of it.
///
/// 1. A path that nobody has: a site that answers it with success answers everything so, and its word about the next one is
///    worth nothing (section 5 of the document, "Determining the Reliability of HTTP Status Codes").
/// 2. The path itself, without following. Whatever but success and a redirect says that the site has no such page.
/// 3. What the redirect leads to, which has to be there; it may well want somebody to sign in.
struct ChangePasswordInquiry {
    private enum Step {
        case probe, path
        case target(HTTPSAddress, status: Int)
        case done
    }

    static let path = "/.well-known/change-password"
    static let probe = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
    /// Of each request. A body is not needed: one that is longer is a success as well.
    private static let byteLimit = 1 << 16
    private static let deadline = Duration.seconds(10)

    private(set) var answer = SiteFacts.File.unasked
    /// Whether somebody who opens the path comes to where a password is changed. What is wrong with it for its author, such as a
    /// redirect for good, need not be wrong for them.
    private(set) var isUsable = false
    private let site: HTTPSAddress
    private var step = Step.probe
    /// Why the answer about the path is worth nothing.
    private var doubt: SiteFacts.File?

    init(_ site: HTTPSAddress) {
        self.site = site
    }

    /// What is to be downloaded next; nothing at the end.
    var next: Download? {
        switch step {
        case .probe: download(site.origin.description + Self.probe, follows: true)
        case .path: download(site.origin.description + Self.path, follows: false)
        case .target(let address, _): download(address.description, follows: true)
        case .done: nil
        }
    }

    /// Takes what became of the download that was last asked for.
    mutating func take(_ outcome: DownloadOutcome) {
        switch step {
        case .probe:
            doubt = Self.doubt(outcome)
            step = .path
        case .path: takePath(outcome)
        case .target(_, let status): takeTarget(outcome, status)
        case .done: break
        }
    }

    private mutating func takePath(_ outcome: DownloadOutcome) {
        step = .done
        switch outcome {
        case _ where Self.isSuccess(outcome):
            answer = doubt ?? .present
            isUsable = doubt == nil
        case .redirected(let status, let place):
            if let doubt {
                answer = doubt
                return
            }
            guard let target = site.resolving(place) else {
                answer = .faulty("it does not lead to an https address")
                return
            }
            step = .target(target, status: status)
        case .answered(let status, _, _) where status < 500: answer = .absent
        default: answer = .unknown(outcome.summary)
        }
    }

    private mutating func takeTarget(_ outcome: DownloadOutcome, _ status: Int) {
        step = .done
        switch outcome {
        case .answered(let code, _, _) where [404, 410].contains(code):
            answer = .faulty("it leads to a page that is not there (\(HTTPStatus.line(code)))")
        case .redirected: answer = .faulty("it leads on and on, or away from https")
        // A site that is out of order leads nowhere.
        case .answered(let code, _, _) where code >= 500: answer = .unknown(outcome.summary)
        case .badCertificate, .unreachable, .timedOut, .brokenBody: answer = .unknown(outcome.summary)
        case .answered, .tooLarge:
            answer =
                [301, 308].contains(status)
                ? .faulty("it redirects permanently (\(HTTPStatus.line(status))), which browsers remember") : .present
            isUsable = true
        }
    }

    /// What a path that nobody has was answered with. Only an answer that it is not there makes others worth something; where there is
    /// no answer nothing is known ("reject", section 5).
    private static func doubt(_ outcome: DownloadOutcome) -> SiteFacts.File? {
        switch outcome {
        case _ where isSuccess(outcome):
            .faulty("the site answers with success for paths that do not exist as well, so its answer proves nothing")
        case .answered: nil
        default: .unknown(outcome.summary)
        }
    }

    private static func isSuccess(_ outcome: DownloadOutcome) -> Bool {
        switch outcome {
        case .answered(let status, _, _): (200..<300).contains(status)
        case .tooLarge: true
        default: false
        }
    }

    private func download(_ address: String, follows: Bool) -> Download {
        Download(
            address, limit: Self.byteLimit, deadline: Self.deadline,
            redirects: follows ? .followed(maximum: 5, onSameHostOnly: false) : .refused,
            contentEncodings: Set(Download.ContentEncoding.allCases))
    }
}
