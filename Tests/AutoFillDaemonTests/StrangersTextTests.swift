// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// Texts of providers, apps and pages where the user trusts what stands there.
@Suite(.timeLimit(.minutes(2))) struct StrangersTextTests {
    private static let odd = "anna\n\u{1B}[2J\u{202E}moc\u{200B}\u{9B}x"
    private static let shown = "anna\u{FFFD}[2Jmoc\u{FFFD}x"

    private func isClean(_ text: String?) -> Bool {
        (text ?? "").unicodeScalars.allSatisfy { scalar in
            switch ShownScalar(scalar) {
            case .plain, .space: true
            default: false
            }
        }
    }

    @Test(
        "S43: every text of a question is one clean line, whoever worded it",
        arguments: [
            PromptDesk.Question.Kind.unlock, .authenticate, .confirm, .enable, .upgrade, .passwords, .preferences,
            .save, .foreign,
            .generated,
            .savePassword, .updatePassword, .unlockToSave,
        ])
    func questions(kind: PromptDesk.Question.Kind) async throws {
        let odd = Self.odd
        var question = PromptDesk.Question(
            kind: kind, requester: odd, site: odd, user: odd, provider: odd, details: ["\(odd)"])
        question.savedFor = DisplayText(odd)
        question.top = DisplayText(odd)
        question.reasons = ["\(odd) and \(odd)"]
        question.providers = [.init(identifier: "com.example.shiny", name: DisplayText(odd))]
        #expect(question.lines.allSatisfy { isClean($0.text) })
        let desk = PromptDesk(pinentry: nil, logger: silent)
        let browser = FakeBrowser()
        let asking = Task { [question] in try await desk.ask(question, over: browser.client) { _ in nil } }
        let prompt = await browser.prompt()
        let drawn = try #require(await desk.show(prompt, on: 1))
        let texts: [DisplayText] =
            [drawn.requester] + [drawn.site, drawn.user, drawn.provider, drawn.savedFor, drawn.top].compactMap(\.self)
            + (drawn.reasons ?? []) + (drawn.providers ?? []).map(\.name)
        #expect(texts.count >= 8 && texts.allSatisfy { isClean($0.text) } && isClean(drawn.message))
        #expect(drawn.user?.text == Self.shown)
        asking.cancel()
        _ = await asking.result
    }

    @Test(
        "S43: a name that is shown otherwise than it is stays what it is, unless the user writes another",
        arguments: [
            ("\u{202A}+1 555 0100\u{202C}", "+1 555 0100", "\u{202A}+1 555 0100\u{202C}"), ("a  b", "a b", "a  b"),
            ("\u{202A}anna\u{202C}", "berta", "berta"), ("anna", "anna", "anna"),
        ])
    func exactNames(stated: String, answered: String, saved: String) async throws {
        let desk = PromptDesk(pinentry: nil, logger: silent)
        let browser = FakeBrowser()
        var question = PromptDesk.Question(kind: .savePassword, requester: "Your browser", user: stated)
        question.mayRename = true
        let asking = Task { [question] in try await desk.ask(question, over: browser.client) { _ in nil } }
        let prompt = await browser.prompt()
        try await desk.answer(.init(prompt: prompt, accept: true, user: answered), on: 1)
        #expect(try await asking.value.user == saved)
    }

    @Test("S43: what a provider's interface shows is clean; what stands in its fields stays")
    func interfaces() async throws {
        let odd = Self.odd
        let desk = InterfaceDesk(now: { .now })
        let browser = FakeBrowser()
        let name = try await desk.present(
            .init(requester: odd, provider: odd, site: odd, user: odd), over: browser.client, act: { _ in }, cancel: {})
        await desk.show(
            .init(
                title: odd,
                elements: [
                    .init(kind: "message", id: "m", text: "first\nsecond\u{1B}[0m"),
                    .init(kind: "text", id: "t", label: odd, placeholder: odd, value: "exact\u{200B}"),
                    .init(
                        kind: "list", id: "l",
                        sections: [
                            .init(
                                title: odd,
                                rows: [
                                    .init(id: "\u{1}", title: odd, subtitle: odd),
                                    .init(id: "2", title: "\u{200B}", subtitle: ""),
                                ])
                        ]),
                ]), on: name)
        let drawn = try #require(await desk.prompt(name, on: 1))
        let header = [drawn.requester, drawn.provider, drawn.site, drawn.user]
        #expect(header.allSatisfy { $0?.text == Self.shown })
        let elements = try #require(drawn.interface?.elements)
        #expect(drawn.interface?.title == Self.shown)
        #expect(elements[0].text == "first second\u{FFFD}[0m")
        #expect(elements[1].label == Self.shown && elements[1].placeholder == Self.shown)
        #expect(elements[1].value == "exact\u{200B}")
        let section = try #require(elements[2].sections?.first)
        #expect(section.title == Self.shown)
        #expect(section.rows[0].title == Self.shown && section.rows[0].subtitle == Self.shown)
        // A row is still known by its own name, and one of nothing is said to be that.
        #expect(section.rows[0].id == "\u{1}" && section.rows[1].title == DisplayText.unseen)
    }

    @Test("S43: a wire cleans what it says of errors, and what is to be shown")
    func wires() throws {
        let odd = Self.odd
        let bytes = [UInt8](
            try JSONSerialization.data(withJSONObject: [
                "jsonrpc": "2.0", "id": 1,
                "error": ["code": 1100, "message": odd, "data": ["reason": odd, "hint": odd]],
            ]))
        let message = try bytes.withUnsafeBytes { try Message(decoding: $0) }
        guard case .response(_, .failure(let error)) = message else {
            Issue.record("no error was read")
            return
        }
        #expect(error.message == Self.shown && error.reason == Self.shown && error.hint == Self.shown)
        let row: Row = try JSONValue.object([
            "title": .string(odd), "user": .string(odd), "provider": .string("p"),
        ]).decoded()
        #expect(row.title.text == Self.shown && row.user.text == Self.shown)
    }

    // MARK: The store's door

    @Test(
        "S43: an identity with a control character is refused, and nothing of its call is kept",
        arguments: [
            "a\nb", "\u{1B}[31m", "a\u{0}", "a\u{9B}", "a\u{2028}b",
        ])
    func storesRefuse(user: String) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        var identity = CredentialIdentity.shiny
        identity.user = user
        for method in [Provider.SaveIdentities.name, Provider.ReplaceIdentities.name] {
            let params = try JSONValue(
                encoding: IdentitiesParams(identities: [.init(.shiny), .init(identity)]))
            await #expect {
                _ = try await daemon.capabilities.shared.stores.handleStore(method, params, of: .builtIn)
            } throws: { code($0) == .identityStore(0) && "\($0)".contains("control character") }
        }
        #expect(
            try await daemon.capabilities.pages.suggestions.suggestions(url: "https://shiny.example.com").map(\.user)
                == [
                    "rmondello"
                ])
    }

    @Test("S43: rows of the bar show clean names, and fill the exact ones")
    func rows() async throws {
        let exact = "\u{202A}+1 555 0100\u{202C}"
        var identity = CredentialIdentity.shiny
        identity.user = exact
        let daemon = try await FakeInstallation(provider: FakeInstallation.provider())
        try await daemon.begin([identity])
        let chain = [ChainLink(origin: "https://shiny.example.com", document: "D1")]
        let browser = FakeBrowser { method, _ in
            guard method == Browser.Evidence.name else { return .object([:]) }
            return try JSONValue(encoding: Browser.Evidence.Answer(chain: chain))
        }
        let page = PageStatement(fields: [
            .init(ref: 0, type: "text", autocomplete: "username"),
            .init(ref: 1, type: "password", autocomplete: "current-password"),
        ])
        let frame = FrameEvidence(tab: 3, frame: 0, document: "D1", chain: chain)
        let focused = await daemon.capabilities.pages.sessions.focused(
            .init(frame: frame, page: page, focused: 0), on: browser.client)
        let session = try #require(focused.session)
        let listed = try await daemon.capabilities.pages.suggestions.list(.init(session: session), on: browser.client)
            .rows
        let offered = try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
            .suggestions
        #expect(listed.map(\.user) == ["+1 555 0100"] && offered.map(\.user) == ["+1 555 0100"])
        let handle = try #require(offered.first?.handle)
        let answer = Task {
            try await daemon.capabilities.pages.filling.choose(
                .init(handle: handle, surface: "bar"), on: browser.client)
        }
        let prompt = await browser.prompt()
        #expect(await daemon.capabilities.shared.questions.desk.show(prompt, on: 1)?.user == "+1 555 0100")
        try await daemon.capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        #expect(try await answer.value.fills.map(\.value.bytes.text).contains(exact))
    }
}
