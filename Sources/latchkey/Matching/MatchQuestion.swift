// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import TerminalRendering

/// A question for `latchkey match`: what was saved, and the documents of a page from the top down to the form's.
struct MatchQuestion {
    let saved: String
    let page: String
    /// From the one in the top document down to the one that holds the form.
    let frames: [String]
    let isStrict: Bool

    static let form = "SAVED<tab>PAGE, and <tab>FRAMES with spaces between them where the form is in a frame"

    init(saved: String, page: String, frames: [String] = [], isStrict: Bool = false) {
        self.saved = saved
        self.page = page
        self.frames = frames
        self.isStrict = isStrict
    }

    /// A line of a batch; nothing where it does not have two or three fields.
    init?(line: String, isStrict: Bool) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 2 || fields.count == 3 else { return nil }
        self.init(
            saved: fields[0], page: fields[1],
            frames: fields.count == 3 ? fields[2].split(separator: " ").map(String.init) : [], isStrict: isStrict)
    }

    struct Answer: Equatable {
        let decision: String
        let requiresConsent: Bool
        let reason: String

        var json: JSONText {
            .object([
                ("decision", .string(decision)), ("requiresConsent", .bool(requiresConsent)),
                ("reason", .string(reason)),
            ])
        }

        /// For people.
        var line: String { "\(decision): \(reason)\(requiresConsent ? "; you would be asked first" : "")" }
    }

    var service: SavedService { SavedService(ServiceIdentifier(written: saved), isStrict: isStrict) }

    /// The documents as a browser would state them.
    var verified: Result<VerifiedOrigin, OriginVerifier.Refusal> {
        let documents = ([page] + frames).reversed().enumerated().map { index, url in
            // What no browser would load has no origin to state; it is passed on as it is, and refused for it.
            ClaimedDocument(
                origin: ClaimedOrigin(Origin(url: url)?.description ?? "null"), documentIdentifier: "document \(index)")
        }
        return OriginVerifier.verify(documents)
    }

    func answer(_ policy: MatchPolicy) -> Answer {
        switch verified {
        case .failure(let refusal):
            return Answer(decision: "refused", requiresConsent: false, reason: refusal.rawValue)
        case .success(let verified):
            let match = policy.match(service, for: verified.chain)
            return Answer(
                decision: match.decision.word, requiresConsent: match.requiresConsent, reason: match.reason)
        }
    }
}
