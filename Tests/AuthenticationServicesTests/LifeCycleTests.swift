// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// Which calls a controller gets, and in which order.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LifeCycleTests {
    @MainActor
    private final class Log {
        var lines: [String] = []
    }

    /// Writes down what it is told.
    private final class Told: UIViewController {
        let name: String
        let log: Log

        init(_ name: String, _ log: Log) {
            self.name = name
            self.log = log
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        override func viewDidLoad() { log.lines.append("\(name) loaded") }
        override func viewWillAppear(_ animated: Bool) { log.lines.append("\(name) will appear") }
        override func viewDidAppear(_ animated: Bool) { log.lines.append("\(name) appeared") }
        override func viewWillDisappear(_ animated: Bool) { log.lines.append("\(name) will go") }
        override func viewDidDisappear(_ animated: Bool) { log.lines.append("\(name) gone") }
    }

    private final class Principal: ASCredentialProviderViewController {
        let log: Log
        var onPrepare: (Principal) -> Void = { _ in }

        init(_ log: Log) {
            self.log = log
            super.init(nibName: nil, bundle: nil)
            log.lines.append("init")
        }

        required init?(coder: NSCoder) { nil }

        override func beginRequest(with context: NSExtensionContext) {
            super.beginRequest(with: context)
            log.lines.append("beginRequest")
        }
        override func loadView() {
            log.lines.append("loadView")
            super.loadView()
        }
        override func viewDidLoad() { log.lines.append("viewDidLoad") }
        override func viewWillAppear(_ animated: Bool) { log.lines.append("viewWillAppear") }
        override func viewDidAppear(_ animated: Bool) { log.lines.append("viewDidAppear") }
        override func viewWillDisappear(_ animated: Bool) { log.lines.append("viewWillDisappear") }
        override func viewDidDisappear(_ animated: Bool) { log.lines.append("viewDidDisappear") }
        override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
            log.lines.append("provide")
            onPrepare(self)
        }
        override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
            log.lines.append("prepare")
            onPrepare(self)
        }
        override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
            log.lines.append("list")
            onPrepare(self)
        }
        override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
            log.lines.append("codes")
            onPrepare(self)
        }
        override func prepareInterfaceForUserChoosingTextToInsert() {
            log.lines.append("text")
            onPrepare(self)
        }
        override func prepareInterfaceForExtensionConfiguration() {
            log.lines.append("configure")
            onPrepare(self)
        }
    }

    private func end(_ log: Log, _ prepare: @escaping (Principal) -> Void) async throws -> DaemonEnd {
        try await DaemonEnd.started {
            let principal = Principal(log)
            principal.onPrepare = prepare
            return principal
        }
    }

    private static let shown = [
        "viewWillAppear", "viewDidAppear", "pressed", "viewWillDisappear", "viewDidDisappear",
    ]

    @Test(arguments: ["prepare", "list", "codes", "text", "configure"])
    func goesThroughALifeAsOnIOS(kind: String) async throws {
        let log = Log()
        let end = try await end(log) { principal in
            principal.view.addSubview(
                ButtonView("Cancel") {
                    log.lines.append("pressed")
                    principal.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
                }
            )
        }
        switch kind {
        case "prepare": end.beginInterface()
        case "list": end.beginList()
        case "codes": end.beginList(type: "one-time-code")
        case "text": end.begin(Provider.ChooseText.self, .init(request: 1), 1)
        default:
            async let refusal = Refusal.of { try await end.call(Provider.Configure.self, .init(request: 1)) }
            let shown = try #require(await end.screens[1].next())
            try await end.act(shown.first("button")?.id, "press")
            #expect(await refusal == Refusal(1001))
        }
        if kind != "configure" {
            try await end.act(end.interface().first("button")?.id, "press")
            #expect(await Refusal.of { try await end.answer() } == Refusal(1001))
        }
        #expect(log.lines == ["init", "beginRequest", "loadView", "viewDidLoad", kind] + Self.shown)
    }

    @Test
    func loadsNoViewWhereNothingIsShown() async throws {
        let log = Log()
        let end = try await end(log) {
            $0.extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        }
        #expect(await Refusal.of { try await end.provide() } == Refusal(1100))
        #expect(log.lines == ["init", "beginRequest", "provide"])
    }

    @Test
    func doesNotAppearWhenItHasEndedBefore() async throws {
        let log = Log()
        let end = try await end(log) { $0.extensionContext.cancelRequest(withError: ASExtensionError(.failed)) }
        end.beginInterface()
        #expect(await Refusal.of { try await end.answer() } == Refusal(1000))
        #expect(log.lines == ["init", "beginRequest", "loadView", "viewDidLoad", "prepare"])
        #expect(end.screens.count == 0)
    }

    @Test
    func disappearsWhenItIsCancelled() async throws {
        let log = Log()
        let end = try await end(log) { $0.view.addSubview(MessageView("m")) }
        end.beginInterface()
        _ = try await end.interface()
        try end.cancel(1)
        #expect(await Refusal.of { try await end.answer() } == Refusal(1001))
        #expect(log.lines.suffix(2) == ["viewWillDisappear", "viewDidDisappear"])
    }

    @Test
    func childrenAndPresentedOnesAppearWithTheirViews() async throws {
        let log = Log()
        let (child, presented, inner) = (Told("child", log), Told("presented", log), Told("inner", log))
        presented.addChild(inner)
        let end = try await end(log) { principal in
            principal.addChild(child)
            principal.view.addSubview(child.view)
            child.present(presented, animated: false) { log.lines.append("presented") }
            #expect(principal.presentedViewController === presented)
            #expect(inner.presentingViewController === principal)
            presented.view.addSubview(inner.view)
            presented.view.addSubview(MessageView("m"))
        }
        end.beginInterface()
        #expect(try await end.interface().kinds == ["message"])
        #expect(
            log.lines.dropFirst(5) == [
                "child loaded", "presented loaded", "inner loaded", "viewWillAppear", "child will appear",
                "viewDidAppear", "child appeared", "presented will appear", "inner will appear", "presented appeared",
                "inner appeared", "presented",
            ]
        )
        log.lines = []
        inner.view.removeFromSuperview()
        #expect(log.lines == ["inner will go", "inner gone"])
        log.lines = []
        inner.dismiss(animated: false)
        #expect(log.lines == ["presented will go", "presented gone"])
        #expect(presented.presentingViewController == nil)
        log.lines = []
        try end.cancel(1)
        _ = await Refusal.of { try await end.answer() }
        #expect(log.lines == ["viewWillDisappear", "child will go", "viewDidDisappear", "child gone"])
    }

    @Test
    func stacksTellTheirControllers() async throws {
        let log = Log()
        let (first, second) = (Told("first", log), Told("second", log))
        let stack = UINavigationController(rootViewController: first)
        let end = try await end(log) { principal in
            first.view.addSubview(MessageView("1"))
            second.view.addSubview(MessageView("2"))
            second.title = "Second"
            principal.present(stack, animated: false)
        }
        end.beginInterface()
        #expect(try await end.interface().elements.map(\.text) == ["1"])
        log.lines = []
        stack.pushViewController(second, animated: false)
        #expect(try await end.interface().elements.map(\.text) == ["2"])
        #expect(log.lines == ["first will go", "first gone", "second will appear", "second appeared"])
        stack.popViewController(animated: false)
        #expect(try await end.interface().elements.map(\.text) == ["1"])
    }

    @Test
    func controllersDoNotGoRoundInCircles() {
        let (first, second) = (UIViewController(), UIViewController())
        first.addChild(second)
        second.addChild(first)
        #expect(first.parent == nil)
        second.present(first, animated: false)
        #expect(second.presentedViewController == nil)
        first.present(second, animated: false)
        #expect(first.presentedViewController == nil)
        first.interfaceDidChange()
    }
}
