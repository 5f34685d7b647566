// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// Every kind of request, what it may be answered with, and how it ends.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RequestKindsTests {
    /// Completes everything in the same way.
    private final class Same: ASCredentialProviderViewController {
        var complete: (ASCredentialProviderExtensionContext) -> Void = { _ in }

        override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
            complete(extensionContext)
        }
        override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
            complete(extensionContext)
        }
        override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
            complete(extensionContext)
        }
        override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
            complete(extensionContext)
        }
        override func prepareInterfaceForUserChoosingTextToInsert() { complete(extensionContext) }
        override func prepareInterfaceForExtensionConfiguration() { complete(extensionContext) }
    }

    private static let answers: [String: @MainActor (ASCredentialProviderExtensionContext) -> Void] = [
        "a password": { $0.completeRequest(withSelectedCredential: ASPasswordCredential(user: "u", password: "p")) },
        "a one-time code": { $0.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: "123456")) },
        "a text": { $0.completeRequest(withTextToInsert: "words") },
        "the end of its configuration": { $0.completeExtensionConfigurationRequest() },
    ]

    private static let statements: [String: CredentialStatement] = [
        "a password": .init(type: "password", user: "u", password: WireSecret(SecretBytes(utf8: "p"))),
        "a one-time code": .init(type: "one-time-code", code: WireSecret(SecretBytes(utf8: "123456"))),
        "a text": .init(type: "text", text: WireSecret(SecretBytes(utf8: "words"))),
    ]

    private func ask(_ kind: String, _ end: DaemonEnd) async throws -> CredentialStatement {
        switch kind {
        case "provide": return try await end.provide(1)
        case "provide code": return try await end.provide(1, .shiny("r", type: "one-time-code"))
        case "interface": end.beginInterface()
        case "interface code": end.beginInterface(1, .shiny("r", type: "one-time-code"))
        case "list": end.beginList()
        case "list code": end.beginList(type: "one-time-code")
        case "text": end.begin(Provider.ChooseText.self, .init(request: 1), 1)
        default:
            _ = try await end.call(Provider.Configure.self, .init(request: 1))
            return .init(type: "configured")
        }
        return try await end.answer()
    }

    @Test(arguments: [
        ("provide", "a password"), ("provide code", "a one-time code"), ("interface", "a password"),
        ("interface code", "a one-time code"), ("list", "a password"), ("list code", "a one-time code"),
        ("text", "a text"), ("configuration", "the end of its configuration"),
    ])
    func takesTheAnswerThatWasAskedForAndNoOther(kind: String, right: String) async throws {
        for (given, complete) in Self.answers {
            let end = try await DaemonEnd.started {
                let controller = Same()
                controller.complete = complete
                return controller
            }
            if given == right {
                let answer = try await ask(kind, end)
                #expect(answer == Self.statements[right] ?? .init(type: "configured"))
            } else {
                let reason = "It answered with \(given) where \(right) was asked for."
                #expect(await Refusal.of { try await ask(kind, end) } == Refusal(1000, reason))
            }
        }
    }

    @Test
    func handsACodesIdentityOver() async throws {
        final class Codes: ASCredentialProviderViewController {
            override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
                guard credentialRequest.type == .oneTimeCode,
                    let identity = credentialRequest.credentialIdentity as? ASOneTimeCodeCredentialIdentity
                else { return extensionContext.cancelRequest(withError: ASExtensionError(.failed)) }
                let text = "\(identity.label) \(identity.recordIdentifier ?? "") \(identity.rank)"
                extensionContext.completeOneTimeCodeRequest(using: .init(code: text))
            }
        }
        let end = try await DaemonEnd.started { Codes() }
        let credential = try await end.provide(1, .shiny("r", type: "one-time-code"))
        #expect(credential.code?.bytes == SecretBytes(utf8: "rmondello r 0"))
        #expect(await Refusal.of { try await end.provide(2) } == Refusal(1000))
    }

    @Test
    func hasNoCodeWhereOnlyPasswordsAreProvided() async throws {
        let end = try await DaemonEnd.started { ScriptedController(provide: { $0.complete($1.user) }) }
        let code = IdentityStatement.shiny("r", type: "one-time-code")
        #expect(await Refusal.of { try await end.provide(1, code) } == Refusal(1101))
        end.beginInterface(2, code)
        #expect(await Refusal.of { try await end.answer(2) } == Refusal(1101))
        #expect(try await end.provide(3).user == "rmondello")
    }

    @Test
    func givesWhatTheUserTyped() async throws {
        let end = try await DaemonEnd.started {
            ScriptedController(interface: { controller in
                let user = TextField(label: "User")
                let password = TextField(label: "Password", isSecure: true)
                let hidden = TextField(label: "Hidden")
                hidden.isHidden = true
                controller.show(
                    user, password, hidden,
                    ButtonView("OK") {
                        #expect(hidden.text == "")
                        let credential = ASPasswordCredential(user: user.text, password: password.text)
                        controller.extensionContext.completeRequest(withSelectedCredential: credential)
                    }
                )
            })
        }
        end.beginInterface()
        let elements = try await end.interface().elements
        #expect(elements.map(\.kind) == ["text", "secure", "button"])
        let typed = [elements[0].id: "me", elements[1].id: "naïve 🔑", "no such field": "x", elements[2].id: "y"]
        try await end.act(elements[2].id, "press", fields: typed)
        let credential = try await end.answer()
        #expect(credential.user == "me")
        #expect(credential.password?.bytes == SecretBytes(utf8: "naïve 🔑"))
    }

    @Test(arguments: [0, 1, 2, 3])
    func refusesAnInterfaceWhereNoneMayBeShown(way: Int) async throws {
        let expired = Arrival<Bool>()
        let end = try await DaemonEnd.started {
            ScriptedController(
                provide: { controller, _ in
                    switch way {
                    case 0: controller.present(UIViewController(), animated: false)
                    case 1: controller.show(MessageView("m"))
                    case 2:
                        let child = UIViewController()
                        controller.addChild(child)
                        child.present(UIViewController(), animated: false)
                    default: controller.loadViewIfNeeded()
                    }
                    controller.complete("u") { expired.arrive($0) }
                },
                load: { if way == 3 { $0.showList() } }
            )
        }
        let reason = "It tried to show an interface where none may be shown: cancel with userInteractionRequired first."
        #expect(await Refusal.of { try await end.provide() } == Refusal(1000, reason))
        #expect(await expired.next() == true)
        #expect(end.screens.count == 0)
    }

    @Test
    func aViewWithNothingInItIsNoInterface() async throws {
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in
                controller.view.addSubview(UIView())
                controller.view.addSubview(ListView())
                controller.title = "t"
                controller.complete("u")
            })
        }
        #expect(try await end.provide().user == "u")
    }

    @Test
    func refusesActsThatComeTooLateOrNowhere() async throws {
        let begun = Arrival<Bool>()
        let end = try await DaemonEnd.started {
            ScriptedController(
                provide: { _, _ in begun.arrive(true) },
                interface: { controller in controller.show(ButtonView("OK") { controller.complete("u") }) }
            )
        }
        let expired = Refusal(WireError.Code.expired.rawValue)
        #expect(await Refusal.of { try await end.act("1", "press") } == expired)
        end.beginInterface()
        let button = try await end.interface().first("button")?.id
        for element in ["", "l", "999999", "1.1"] {
            let refusal = await Refusal.of { try await end.act(element, "press") }
            #expect(refusal?.code == WireError.Code.notFound.rawValue)
        }
        #expect(await Refusal.of { try await end.act(button, "press", request: 2) } == expired)
        try await end.act(button, "press")
        #expect(try await end.answer().user == "u")
        #expect(await Refusal.of { try await end.act(button, "press") } == expired)
        // A request without an interface has no acts either.
        let silent = Task { try await end.provide(7) }
        _ = await begun.next()
        #expect(await Refusal.of { try await end.act(button, "press", request: 7) } == expired)
        try end.cancel(7)
        _ = try? await silent.value
    }

    @Test
    func anActDoesNotReachWhatIsGoneBefore() async throws {
        var pressed = 0
        let end = try await DaemonEnd.started {
            ScriptedController(interface: { controller in
                let button = ButtonView("Once")
                button.onPress = {
                    pressed += 1
                    button.removeFromSuperview()
                    controller.show(MessageView("thanks"))
                }
                controller.show(button)
            })
        }
        end.beginInterface()
        let button = try await end.interface().first("button")?.id
        async let first = Refusal.of { try await end.act(button, "press") }
        async let second = Refusal.of { try await end.act(button, "press") }
        _ = await (first, second)
        #expect(try await end.interface().kinds == ["message"])
        #expect(pressed == 1)
        try end.cancel(1)
    }

    @Test(arguments: ["silent", "prepared", "shown", "changing", "acting"])
    func cancelsInEachPhase(phase: String) async throws {
        let begun = Arrival<ScriptedController>()
        var isLater = false
        let end = try await DaemonEnd.started {
            ScriptedController(
                provide: { controller, _ in begun.arrive(controller) },
                interface: { controller in
                    guard !isLater else { return begun.arrive(controller) }
                    if phase != "prepared" { controller.show(ButtonView("b") { begun.arrive(controller) }) }
                    if phase != "acting" { begun.arrive(controller) }
                }
            )
        }
        let silent = phase == "silent" ? Task { try await end.provide(4) } : nil
        if silent == nil { end.beginInterface(4) }
        if phase == "acting" { try await end.act(end.interface(4).first("button")?.id, "press", request: 4) }
        let controller = try #require(await begun.next())
        if phase == "shown" { _ = try await end.interface(4) }
        if phase == "changing" { controller.show(MessageView("more")) }
        try end.cancel(4)
        let refusal = await Refusal.of {
            if let silent { return try await silent.value }
            return try await end.answer(4)
        }
        #expect(refusal == Refusal(1001))
        // A late answer is told that it is late, and late changes go nowhere.
        let expired = Arrival<Bool>()
        controller.complete("late") { expired.arrive($0) }
        #expect(await expired.next() == true)
        // Another request shows something, and after its interval something else. What was on its way before has come by then.
        isLater = true
        end.beginInterface(5)
        let later = try #require(await begun.next())
        func showTwice() async throws {
            for text in ["first", "second"] {
                later.show(MessageView(text))
                _ = try await end.interface(5)
            }
        }
        try await showTwice()
        var shown: Set<Int> = []
        end.screens.onShow = { shown.insert($0.request) }
        controller.show(MessageView("late"))
        try await showTwice()
        #expect(shown == [5])
        try end.cancel(5)
    }

    @Test
    func outlivesAControllerThatNeverCompletes() async throws {
        let end = try await DaemonEnd.started { ScriptedController(interface: { $0.show(ProgressView("…")) }) }
        for request in 1...ExtensionRuntime.requestLimit {
            end.beginInterface(request)
            #expect(try await end.interface(request).kinds == ["progress"])
        }
        #expect(await Refusal.of { try await end.provide(99) }?.code == WireError.Code.busy.rawValue)
        for request in 1...ExtensionRuntime.requestLimit { try end.cancel(request) }
        for request in 1...ExtensionRuntime.requestLimit {
            #expect(await Refusal.of { try await end.answer(request) } == Refusal(1001))
        }
    }

    @Test
    func endsWithTheConnectionWhileSomethingIsShown() async throws {
        let end = try await DaemonEnd.started { ScriptedController(interface: { $0.show(MessageView("m")) }) }
        end.beginInterface()
        _ = try await end.interface()
        end.peer.close()
        #expect(await Refusal.of { try await end.answer() }?.code == WireError.Code.providerUnavailable.rawValue)
    }

    @Test(arguments: [true, false, nil])
    func letsADebuggerAtADebugBuildOnly(debug: Bool?) async throws {
        var allowed = 0
        let runtime = ExtensionRuntime(name: "Test", version: "1") {
            ScriptedController()
        } prepare: { launch in
            #expect(launch.isDebugged == (debug ?? false))
            return nil
        }
        runtime.allowDebugger = { allowed += 1 }
        var params = Provider.Start.Params.valid
        params.debug = debug
        _ = try await DaemonEnd(runtime).call(Provider.Start.self, params)
        #expect(allowed == (debug == true ? 1 : 0))
    }
}
