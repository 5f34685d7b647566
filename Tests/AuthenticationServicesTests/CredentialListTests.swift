// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct CredentialListTests {
    private func end(
        _ list: @escaping @MainActor (ScriptedController, [ASCredentialServiceIdentifier]) -> Void
    ) async throws -> DaemonEnd {
        try await DaemonEnd.started { ScriptedController(list: list) }
    }

    @Test
    func sendsTheListWithoutTheProvidersOwnNames() async throws {
        let end = try await end { controller, _ in controller.showList() }
        #expect(
            try await end.list() == [
                ListSection(title: "Suggested", rows: [ListRow(id: "0.0", title: "a", subtitle: "a.example")]),
                ListSection(title: "", rows: [ListRow(id: "1.0", title: "\"b\"", subtitle: "")]),
            ]
        )
    }

    @Test(arguments: [("0.0", "secret-key-1"), ("1.0", "secret-key-2")])
    func givesWhatTheUserChose(row: String, user: String) async throws {
        let end = try await end { controller, _ in controller.showList() }
        _ = try await end.list()
        #expect(try await end.select(row).user == user)
    }

    @Test
    func handsOverTheServicesAndLeavesOutUnknownKinds() async throws {
        let seen = Arrival<[String]>()
        let end = try await end { controller, services in
            seen.arrive(services.map { "\($0.type) \($0.identifier)" })
            controller.showList()
        }
        _ = try await end.list(
            1,
            [
                .init(type: 1, identifier: "https://a.example/login"), .init(type: 9, identifier: "?"),
                .init(type: 0, identifier: "a.example"), .init(type: 2, identifier: "org.example.App"),
            ]
        )
        #expect(await seen.next() == ["URL https://a.example/login", "domain a.example", "app org.example.App"])
    }

    @Test
    func waitsForAListThatComesLater() async throws {
        let prepared = Arrival<ListView>()
        let end = try await end { controller, _ in
            let list = controller.showList()
            list.sections = nil
            prepared.arrive(list)
        }
        async let sections = end.list()
        let list = try #require(await prepared.next())
        list.sections = [.init(title: "Late", rows: [])]
        #expect(try await sections.map(\.title) == ["Late"])
    }

    @Test
    func findsTheListOfAChildController() async throws {
        let end = try await end { controller, _ in
            let child = UIViewController()
            controller.addChild(child)
            controller.view.addSubview(child.view)
            child.didMove(toParent: controller)
            controller.showList(in: child.view)
        }
        _ = try await end.list()
        #expect(try await end.select("0.0").user == "secret-key-1")
    }

    @Test
    func findsTheListOfAPresentedController() async throws {
        let end = try await end { controller, _ in
            let presented = UIViewController()
            controller.present(presented, animated: false) { controller.showList(in: presented.view) }
        }
        _ = try await end.list()
        #expect(try await end.select("1.0").user == "secret-key-2")
    }

    @Test
    func doesNotSendWhatIsHidden() async throws {
        let end = try await end { controller, _ in
            controller.showList().isHidden = true
            let other = ListView()
            other.sections = [.init(title: "Seen", rows: [])]
            controller.view.addSubview(other)
        }
        #expect(try await end.list().map(\.title) == ["Seen"])
    }

    @Test(arguments: ["", "0", "0.1", "2.0", "0.0 ", "-1.0", "secret-key-1"])
    func refusesARowThatIsNotThere(row: String) async throws {
        let end = try await end { controller, _ in controller.showList() }
        _ = try await end.list()
        #expect(await Refusal.of { try await end.select(row) }?.code == WireError.Code.notFound.rawValue)
        // The list is still there.
        #expect(try await end.select("0.0").user == "secret-key-1")
    }

    @Test
    func refusesARowOfARequestThatIsNoList() async throws {
        let end = try await end { controller, _ in controller.showList() }
        #expect(await Refusal.of { try await end.select("0.0", 5) }?.code == WireError.Code.expired.rawValue)
    }

    @Test
    func refusesASecondChoice() async throws {
        let end = try await end { controller, _ in controller.showList() }
        _ = try await end.list()
        _ = try await end.select("0.0")
        #expect(await Refusal.of { try await end.select("0.0") }?.code == WireError.Code.expired.rawValue)
    }

    @Test
    func refusesAChoiceWhileAnotherIsAnswered() async throws {
        let chosen = Arrival<ScriptedController>()
        let end = try await end { controller, _ in
            controller.showList().onSelect = { _ in chosen.arrive(controller) }
        }
        _ = try await end.list()
        async let first = end.select("0.0")
        let controller = try #require(await chosen.next())
        #expect(await Refusal.of { try await end.select("1.0") }?.code == WireError.Code.busy.rawValue)
        controller.complete("first")
        #expect(try await first.user == "first")
    }

    @Test
    func takesNoCredentialBeforeTheChoice() async throws {
        let end = try await end { controller, _ in controller.complete("unasked") }
        let refusal = await Refusal.of { try await end.list() }
        #expect(refusal == Refusal(1000, "It ended the request before anything was chosen."))
    }

    @Test
    func takesNoCredentialBetweenListAndChoice() async throws {
        let shown = Arrival<ScriptedController>()
        let end = try await end { controller, _ in
            controller.showList()
            shown.arrive(controller)
        }
        _ = try await end.list()
        try #require(await shown.next()).complete("unasked")
        let refusal = await Refusal.of { try await end.select("0.0") }
        #expect(refusal == Refusal(1000, "It ended the request before anything was chosen."))
        #expect(await Refusal.of { try await end.select("0.0") }?.code == WireError.Code.expired.rawValue)
    }

    @Test
    func takesACancelInsteadOfAList() async throws {
        let end = try await end { controller, _ in
            controller.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
        }
        #expect(await Refusal.of { try await end.list() } == Refusal(1001))
    }

    @Test
    func failsWhenAListDoesNothing() async throws {
        let end = try await end { controller, _ in controller.showList().onSelect = nil }
        _ = try await end.list()
        #expect(await Refusal.of { try await end.select("0.0") } == Refusal(1000, "Its list does nothing."))
    }

    @Test
    func endsAWaitForAListThatNeverComes() async throws {
        let prepared = Arrival<Bool>()
        let end = try await end { _, _ in prepared.arrive(true) }
        async let refusal = Refusal.of { try await end.list(3) }
        _ = await prepared.next()
        try end.cancel(3)
        #expect(await refusal == Refusal(1001))
    }

    @Test
    func cutsAListThatNoMessageHolds() async throws {
        let end = try await end { controller, _ in
            let list = ListView()
            let row = ListView.Row(identifier: "", title: String(repeating: "\u{1}", count: 1000))
            list.sections = [
                .init(title: "", rows: Array(repeating: row, count: 1000)), .init(title: "b", rows: [row]),
            ]
            controller.view.addSubview(list)
        }
        let sections = try await end.list()
        #expect(sections.count == 2)
        #expect((100..<1000).contains(sections[0].rows.count))
        #expect(sections[1].rows.isEmpty)
    }
}
