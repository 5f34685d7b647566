// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import ShownText

/// One line of the audit log in words.
package struct ActivityRow: Sendable, Equatable {
    package let time: Int64
    package let event: String
    /// What happened, as a sentence.
    package let sentence: DisplayText
    /// How the user was verified, and what else the log has.
    package let detail: DisplayText
    /// Whether it is one of those that the user should look at.
    package let isWarning: Bool

    private let searched: SearchedText

    package init(_ line: AuditLine) {
        time = line.time
        event = line.event
        let account = Self.account(line)
        let requester = DisplayText(line.requester)
        sentence =
            switch line.event {
            case "released": "\(requester) was given \(account)"
            case "refused": "\(requester) was refused \(account)"
            case "saved": "The password of \(account) was saved"
            case "updated": "The password of \(account) was changed"
            case "converted": "\(account) signs in with Apple now"
            case "unsettled": "It is not known whether the password of \(account) was changed"
            case "rejected": "A server did not take the password of \(account)"
            case "compared": "Passwords of an import were compared with saved ones"
            case "weakened": "A setting was made weaker"
            case "replaced": "The log was replaced by a backup's"
            case "restored": "The log goes on after a backup was restored"
            case "clock": "The clock was put back, or is far ahead of the line before"
            case "damaged": "The log's files were damaged"
            case "older": "What you have agreed to was an older copy"
            default: "\(DisplayText(line.event)): \(account)"
            }
        let client = line.client.map { "by \($0)" }
        let parts = [
            line.authentication.map { "verified by \($0)" }, line.purpose, line.act, client, line.reason,
        ]
        detail = .joined(
            parts.compactMap { $0 }.filter { !$0.isEmpty }.map { DisplayText($0, .sentence) }, by: " · ")
        isWarning = ["refused", "unsettled", "rejected", "weakened", "replaced", "damaged", "older"]
            .contains(line.event)
        searched = SearchedText([line.event, sentence.text, detail.text, line.user ?? "", line.service ?? ""])
    }

    private static func account(_ line: AuditLine) -> DisplayText {
        switch (line.user, line.service) {
        case (let user?, let service?): "\(user) at \(AccountRow.name(of: service))"
        case (nil, let service?): AccountRow.name(of: service)
        case (let user?, nil): DisplayText(user)
        case (nil, nil): "an account"
        }
    }

    package func isFound(by search: String) -> Bool { searched.contains(SearchedText.words(search)) }
}
