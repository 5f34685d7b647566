// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import ShownText

/// One of the daemon's own prompts, worded for a terminal. Quoted text is cleaned.
package struct PromptQuestion {
    package let lines: [String]
    package let question: String
    package let wantsPassphrase: Bool

    package init(_ shown: Renderer.Prompt.Answer) {
        wantsPassphrase = ["unlock", "authenticate", "foreign", "upgrade", "passwords"].contains(shown.kind)
        var lines: [DisplayText] = [shown.requester]
        if let provider = shown.provider { lines.append("Provider: \(provider)") }
        if let site = shown.site { lines.append("Site: \(site)") }
        if let top = shown.top { lines.append("Inside: \(top)") }
        if let savedFor = shown.savedFor { lines.append("Saved for: \(savedFor)") }
        if let user = shown.user { lines.append("Account: \(user)") }
        lines += shown.reasons ?? []
        lines += shown.message?.split(separator: "\n").map { DisplayText($0, .sentence) } ?? []
        self.lines = lines.map(\.text)
        question = shown.kind == "enable" ? "Enable it?" : "Go on?"
    }
}
