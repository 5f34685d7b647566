// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillMatching
internal import ShownText

extension DesktopNotification {
    /// The question whether to save a password. Where no user name was seen, the question's window takes one first.
    static func saving(_ question: PromptDesk.Question) -> Self {
        let isNamed = question.exactUser?.isEmpty == false
        return Self(
            title: "Save password?",
            lines: [isNamed ? "Save the password for \(question.account)?" : "Save the password for \(question.place)?"]
                + question.notes
                + (question.providers.count > 1 ? ["It is saved in \(question.provider ?? "Latchkey")."] : []),
            buttons: [
                isNamed ? Button(.agree, "Save") : Button(.show, "Save…"), Button(.refuse, "Not Now"),
                Button(.never, "Never"),
            ])
    }

    /// The question whether to replace a saved password.
    static func updating(_ question: PromptDesk.Question) -> Self {
        Self(
            title: "Update password?",
            lines: ["Replace the saved password for \(question.account)? The old one stays in the history."]
                + question.notes + question.reasons
                + (question.providers.count > 1 ? ["It is saved in \(question.provider ?? "Latchkey")."] : []),
            buttons: [Button(.agree, "Update"), Button(.refuse, "Not Now"), Button(.never, "Never")])
    }

    /// Tells that an account was saved without a question, because Latchkey has made the password.
    static func saved(_ user: String, at origin: Origin, canUndo: Bool) -> Self {
        Self(
            title: "Password saved", lines: ["Saved \(DisplayText(user)) at \(DisplayText(origin.written))."],
            buttons: canUndo ? [Button(.refuse, "Undo")] : [], stays: false)
    }

    /// While locked it is unknown whose account it is, and a notification names no site.
    static let unlocking = Self(
        title: "Save password?", lines: ["Unlock Latchkey to save the password that you used."],
        buttons: [Button(.agree, "Unlock…"), Button(.refuse, "Not Now")])
}

extension PromptDesk.Question {
    fileprivate var place: DisplayText { site.map(Self.place(of:)) ?? "a site" }
    fileprivate var account: DisplayText { user.map { "\($0) at \(place)" } ?? place }
    fileprivate var notes: [DisplayText] {
        top.map { ["The form is in a frame of a page of \(Self.place(of: $0))."] } ?? []
    }

    /// A site without what stands before every secure one.
    private static func place(of site: DisplayText) -> DisplayText {
        let scheme = "https://"
        return site.text.hasPrefix(scheme) ? DisplayText(site.text.dropFirst(scheme.count)) : site
    }
}
