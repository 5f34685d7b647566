// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import TerminalRendering

/// The whole chain of reasons, for people and for scripts.
struct Explanation {
    var page: PageExplanation?
    var app: AppExplanation?
    var answer: Explain.Answer
    var isOffline: Bool

    init(page: PageExplanation? = nil, app: AppExplanation? = nil, answer: Explain.Answer, isOffline: Bool) {
        self.page = page
        self.app = app
        self.answer = answer
        self.isOffline = isOffline
    }

    /// What is known without the daemon.
    static func offline(_ rules: Quirks) -> Explain.Answer {
        Explain.Answer(
            state: "offline",
            preferences: Preferences(
                autoFill: true, authentication: "after", authenticationMinutes: 0, idleMinutes: 0, lockOnSuspend: true,
                lockOnScreenLock: true),
            suffixes: .init(source: rules.suffixes.source, date: rules.suffixes.date), sharedGroups: rules.shared.count,
            quirksFolder: rules.folder)
    }

    static func candidate(_ saved: SavedService, _ match: Match) -> ExplainedCandidate {
        ExplainedCandidate(
            provider: "", service: saved.service.value, user: "", type: "password", offered: match.isOffered,
            decision: match.decision.word, consent: match.consent.map(\.sentence), reasons: match.reasons)
    }

    var json: JSONText {
        var members: [(String, JSONText)] = []
        if let page { members.append(("page", Self.json(page))) }
        if let app { members.append(("app", app.json)) }
        members += [
            ("state", .string(answer.state)), ("refusal", .optional(answer.refusal)),
            ("lookalike", .optional(answer.lookalike)),
            (
                "rules",
                .object([
                    ("suffixList", .string(answer.suffixes.source)), ("suffixListDate", .integer(answer.suffixes.date)),
                    ("sharedGroups", .integer(Int64(answer.sharedGroups))), ("folder", .optional(answer.quirksFolder)),
                ])
            ),
            ("codes", .array((answer.codes ?? []).map(Self.json))),
            ("candidates", .array(answer.candidates.map(Self.json))), ("truncated", .bool(answer.truncated)),
        ]
        if !isOffline {
            members += [
                ("providers", .array(answer.providers.map(Self.json))),
                ("preferences", PreferencesListing.json(answer.preferences)),
            ]
        }
        return .object(members)
    }

    private static func json(_ page: PageExplanation) -> JSONText {
        .object([
            (
                "documents",
                .array(
                    page.documents.map { document in
                        .object([
                            ("typed", .string(document.typed)), ("origin", .optional(document.origin)),
                            ("shown", .optional(document.shown)), ("secure", .bool(document.isSecure)),
                            ("notes", .strings(document.notes)),
                        ])
                    })
            ),
            ("site", .optional(page.site)), ("publicSuffix", .optional(page.publicSuffix)),
            ("sharing", .strings(page.sharing)),
        ])
    }

    static func json(_ candidate: ExplainedCandidate) -> JSONText {
        .object([
            ("provider", .string(candidate.provider)), ("service", .string(candidate.service)),
            ("user", .string(candidate.user)), ("type", .string(candidate.type)), ("offered", .bool(candidate.offered)),
            ("decision", .string(candidate.decision)), ("consent", .strings(candidate.consent)),
            ("reasons", .strings(candidate.reasons)),
            ("releasedBefore", candidate.releasedBefore.map { .bool($0) } ?? .null),
            ("rejected", .optional(candidate.rejected)),
        ])
    }

    private static func json(_ code: ExplainedCode) -> JSONText {
        .object([
            ("source", .string(code.source)), ("age", .integer(Int64(code.age))),
            ("boundTo", .optional(code.boundTo)), ("embedded", .optional(code.embedded)),
            ("offered", .bool(code.offered)), ("reasons", .strings(code.reasons)),
        ])
    }

    private static func json(_ provider: ExplainedProvider) -> JSONText {
        .object([
            ("identifier", .string(provider.identifier)), ("name", .string(provider.name)),
            ("enabled", .bool(provider.enabled)), ("identities", .optional(provider.identities.map(Int64.init))),
        ])
    }

    // MARK: For people

    var lines: [String] {
        var lines: [String] = []
        if let page { lines += Self.lines(page) }
        if let app { lines += app.lines }
        let age = answer.suffixes.date > 0 ? " of \(Moment.text(answer.suffixes.date).prefix(10))" : ""
        lines.append(
            "Rules: the public suffix list\(age) (\(answer.suffixes.source)); \(Self.groups(answer.sharedGroups))")
        if !isOffline { lines += standing }
        if let refusal = answer.refusal { return lines + ["Nothing is offered here: \(refusal)."] }
        if let lookalike = answer.lookalike { lines.append(lookalike) }
        for candidate in answer.candidates { lines += Self.lines(candidate) }
        if answer.truncated { lines.append("There are more.") }
        for code in answer.codes ?? [] {
            lines.append("\(code.offered ? "offered" : "not offered"): a code from \(code.source), \(code.age) s ago")
            lines += code.reasons.map { "  \($0)" }
        }
        let codes = answer.codes ?? []
        let offered = answer.candidates.count { $0.offered } + codes.count { $0.offered }
        switch (answer.state, answer.candidates.isEmpty && (answer.codes ?? []).isEmpty) {
        case ("locked", _), ("uninitialized", _), ("offline", true): break
        case (_, true): lines.append("No saved account belongs to this page or to a similar one.")
        default:
            lines.append(
                offered == 0
                    ? "Nothing is offered." : "Offered: \(offered) of \(answer.candidates.count + codes.count).")
        }
        return lines
    }

    private var standing: [String] {
        var lines: [String] = []
        if answer.state != "ready" { lines.append("Latchkey is \(answer.state); what is saved is not known.") }
        if !answer.preferences.autoFill { lines.append("AutoFill is switched off: nothing is offered anywhere.") }
        for provider in answer.providers where !provider.enabled {
            lines.append("\(provider.name) is not enabled: nothing of it is offered.")
        }
        return lines
    }

    private static func groups(_ count: Int) -> String {
        switch count {
        case 0: "no sites are known to share accounts."
        case 1: "one group of sites shares accounts."
        default: "\(count) groups of sites share accounts."
        }
    }

    private static func lines(_ page: PageExplanation) -> [String] {
        var lines: [String] = []
        for (index, document) in page.documents.enumerated() {
            let place = page.documents.count == 1 ? "Page" : index == 0 ? "Top document" : "Frame \(index)"
            let shown = document.shown.map { " (\($0))" } ?? ""
            lines.append("\(place): \(document.origin ?? document.typed)\(shown)")
            lines += document.notes.map { "  \($0)" }
            if document.origin != nil {
                lines.append(document.isSecure ? "  delivered securely" : "  not delivered securely")
            }
        }
        if let site = page.site {
            lines.append("Site: \(site), on the public suffix \(page.publicSuffix ?? "")")
        } else if page.chain != nil {
            lines.append("Site: none; the host stands for itself")
        }
        if !page.sharing.isEmpty { lines.append("Shares its accounts with: \(page.sharing.joined(separator: ", "))") }
        return lines
    }

    private static func lines(_ candidate: ExplainedCandidate) -> [String] {
        let user = candidate.user.isEmpty ? "" : ", \(candidate.user)"
        let provider = candidate.provider.isEmpty ? "" : " (\(candidate.provider))"
        var lines = [
            "\(candidate.offered ? "offered" : "not offered"): \(candidate.service)\(user)\(provider): \(candidate.decision)"
        ]
        lines += candidate.reasons.map { "  \($0)" }
        lines += candidate.consent.map { "  \($0)" }
        if let before = candidate.releasedBefore, candidate.offered {
            lines.append(
                before ? "  it went here before" : "  it never went here")
        }
        if candidate.rejected != nil { lines.append("  a server said no to it the last time") }
        return lines
    }
}
