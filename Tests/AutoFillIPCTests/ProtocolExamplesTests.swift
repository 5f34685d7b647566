// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillIPC

/// Replays every example of `docs/protocol.md`, byte for byte.
@Suite struct ProtocolExamplesTests {
    /// A line of a `json` block of the page.
    struct Example: Sendable, CustomTestStringConvertible {
        let number: Int
        let text: String
        /// The method of the request that this answers; nothing for requests.
        let answers: String?

        var testDescription: String { "line \(number)" }
    }

    /// How a method's own types take what travels.
    struct Replay: Sendable {
        let params: @Sendable (JSONValue) throws -> JSONValue
        let answer: @Sendable (JSONValue) throws -> JSONValue

        init<M: WireMethod>(_ method: M.Type) {
            params = { try JSONValue(encoding: $0.decoded(as: M.Params.self)) }
            answer = { try JSONValue(encoding: $0.decoded(as: M.Answer.self)) }
        }
    }

    static let methods: [String: Replay] = {
        func entry<M: WireMethod>(_ method: M.Type) -> (String, Replay) { (M.name, Replay(method)) }
        return Dictionary(uniqueKeysWithValues: [
            entry(Session.Hello.self), entry(DaemonMethods.Features.self),
            entry(Page.Focused.self), entry(Page.Left.self), entry(Renderer.Status.self),
            entry(Renderer.Suggestions.self), entry(Renderer.List.self), entry(Renderer.Find.self),
            entry(Renderer.Copy.self), entry(Renderer.Choose.self),
            entry(Renderer.Unlock.self), entry(Renderer.Prompt.self), entry(Renderer.Answer.self),
            entry(Browser.Present.self), entry(Browser.Dismiss.self), entry(Browser.Evidence.self),
            entry(Browser.Changed.self), entry(Renderer.OpenList.self), entry(Renderer.Act.self),
            entry(Renderer.Reveal.self),
            entry(Renderer.Inspect.self), entry(Renderer.CheckRules.self), entry(Submission.Submitted.self),
            entry(Submission.Settled.self),
            entry(Browser.Update.self),
            entry(Settings.Status.self), entry(Settings.Initialize.self), entry(Settings.Unlock.self),
            entry(Settings.Lock.self), entry(Settings.Authenticate.self), entry(Settings.ChangePassphrase.self),
            entry(Settings.SetPIN.self), entry(Settings.ForgetPIN.self), entry(Login.Terms.self),
            entry(Desktop.Focused.self), entry(Desktop.Choose.self),
            entry(Settings.Recover.self), entry(Settings.SetPreferences.self), entry(Settings.Suggestions.self),
            entry(Settings.Audit.self), entry(Settings.VerifyAudit.self), entry(Explain.self), entry(Git.Get.self),
            entry(Git.Store.self), entry(Git.Erase.self), entry(Git.Ask.self), entry(Settings.WriteBackup.self),
            entry(Settings.RestoreBackup.self),
            entry(Settings.Stop.self),
            entry(Recommendations.List.self), entry(Advice.Upgrade.self), entry(Upgrades.Plan.self),
            entry(Upgrades.Run.self),
            entry(Items.List.self), entry(Items.Get.self), entry(Items.Add.self), entry(Items.Edit.self),
            entry(Items.Remove.self), entry(Items.Restore.self), entry(Items.Reveal.self), entry(Items.Compare.self),
            entry(Items.History.self),
            entry(Providers.List.self), entry(Providers.Enable.self), entry(Providers.Disable.self),
            entry(Providers.Order.self), entry(Providers.Install.self), entry(Providers.Remove.self),
            entry(Providers.Configure.self), entry(Providers.Debug.self), entry(Providers.TellPaths.self),
            entry(Providers.ChooseCredential.self),
            entry(Associations.List.self), entry(Associations.Check.self), entry(Associations.Add.self),
            entry(Associations.Remove.self), entry(Associations.Log.self), entry(Associations.SetDeveloperMode.self),
            entry(Associations.SetSource.self),
            entry(Apps.List.self), entry(Apps.Look.self), entry(Apps.Grant.self), entry(Apps.Revoke.self),
            entry(Apps.Forget.self), entry(Authorization.Request.self), entry(Authorization.Cancel.self),
            entry(WebAuthentication.Request.self), entry(WebAuthentication.Open.self),
            entry(Authorization.Present.self), entry(Authorization.Render.self),
            entry(ContainingApp.Open.self), entry(ContainingApp.State.self), entry(ContainingApp.RequestEnable.self),
            entry(Modification.Convert.self), entry(Modification.Authorize.self),
            entry(Provider.Start.self), entry(Provider.ProvideCredential.self),
            entry(Provider.PrepareCredentialList.self), entry(Provider.PrepareInterface.self),
            entry(Provider.ChooseText.self), entry(Provider.Configure.self), entry(Provider.Act.self),
            entry(Provider.Show.self), entry(Provider.ListIdentities.self), entry(Provider.Cancel.self),
            entry(Provider.Snapshot.self), entry(Provider.StoreState.self), entry(Provider.SaveIdentities.self),
            entry(Provider.RemoveIdentities.self), entry(Provider.ReplaceIdentities.self),
            entry(Provider.RemoveAllIdentities.self), entry(Provider.BeginBatch.self),
            entry(Provider.AppendBatch.self), entry(Provider.CommitBatch.self),
        ])
    }()

    static let page: String = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../docs/protocol.md"
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }()

    static let examples: [Example] = {
        var examples: [Example] = []
        var isJSON = false
        var asked: [Message.Identifier: String] = [:]
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { isJSON = line == "```json" }
            guard isJSON, line.hasPrefix("→ ") || line.hasPrefix("← ") else { continue }
            let text = String(line.dropFirst(2))
            var method: String?
            switch try? message(text) {
            case .request(let id, let name, _): asked[id] = name
            case .response(let id, _): method = asked[id]
            default: break
            }
            examples.append(Example(number: index + 1, text: text, answers: method))
        }
        return examples
    }()

    @Test func thePageHasExamplesOfBothKinds() {
        #expect(Self.examples.count >= 10)
        #expect(Self.examples.contains { $0.answers == nil })
        #expect(Self.examples.contains { $0.answers != nil })
    }

    @Test(arguments: examples)
    func exampleReadsAndWritesTheSameBytes(example: Example) throws {
        let read = try message(example.text)
        #expect(read.encoded().text == example.text)
        switch read {
        case .request(let id, let name, let params):
            let method = try #require(Self.methods[name], "no type has the method \(name)")
            let typed = Message.request(id: id, method: name, params: try method.params(params))
            #expect(typed.encoded().text == example.text)
        case .notification(let name, let params):
            let method = try #require(Self.methods[name], "no type has the method \(name)")
            let typed = Message.notification(method: name, params: try method.params(params))
            #expect(typed.encoded().text == example.text)
        case .response(let id, .success(let result)):
            let method = try #require(example.answers.flatMap { Self.methods[$0] }, "an answer to nothing")
            let typed = Message.response(id: id, .success(try method.answer(result)))
            #expect(typed.encoded().text == example.text)
        case .response:
            _ = try #require(example.answers)
        }
    }

    @Test(arguments: methods.keys.sorted())
    func everyMethodStandsOnThePage(name: String) {
        #expect(Self.page.contains(name))
    }

    @Test func everyCodeStandsOnThePage() {
        let codes: [(WireError.Code, String)] = [
            (.parseError, "parseError"), (.invalidRequest, "invalidRequest"), (.methodNotFound, "methodNotFound"),
            (.invalidParams, "invalidParams"), (.internalError, "internalError"),
            (.notInitialized, "notInitialized"), (.locked, "locked"),
            (.authenticationRequired, "authenticationRequired"), (.wrongPassphrase, "wrongPassphrase"),
            (.tooManyAttempts, "tooManyAttempts"), (.refused, "refused"), (.notFound, "notFound"),
            (.notPermitted, "notPermitted"), (.userCanceled, "userCanceled"),
            (.providerUnavailable, "providerUnavailable"), (.timedOut, "timedOut"), (.busy, "busy"),
            (.alreadyExists, "alreadyExists"), (.storageFailed, "storageFailed"),
            (.unsupportedVersion, "unsupportedVersion"), (.expired, "expired"), (.invalidItem, "invalidItem"),
        ]
        for (code, name) in codes {
            let number = code.rawValue < 0 ? "−\(-code.rawValue)" : "\(code.rawValue)"
            #expect(Self.page.contains("| \(number) | \(name) |"))
        }
    }
}
