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
                ListSection(title: "Suggested", rows: [ListRow(id: "1", title: "a", subtitle: "a.example")]),
                ListSection(title: "", rows: [ListRow(id: "2", title: "\"b\"", subtitle: "")]),
            ]
        )
    }

    @Test(arguments: [("1", "secret-key-1"), ("2", "secret-key-2")])
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
        #expect(try await end.select("1").user == "secret-key-1")
    }

    @Test
    func findsTheListOfAPresentedController() async throws {
        let end = try await end { controller, _ in
            let presented = UIViewController()
            controller.present(presented, animated: false) { controller.showList(in: presented.view) }
        }
        _ = try await end.list()
        #expect(try await end.select("2").user == "secret-key-2")
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

    @Test(arguments: ["", "0", "3", "1.2", "1 ", "-1", "+1", "secret-key-1"])
    func refusesARowThatIsNotThere(row: String) async throws {
        let end = try await end { controller, _ in controller.showList() }
        _ = try await end.list()
        #expect(await Refusal.of { try await end.choose(row) }?.code == WireError.Code.notFound.rawValue)
        // The list is still there.
        #expect(try await end.select("1").user == "secret-key-1")
    }

    @Test
    func refusesARowOfARequestThatIsNotThere() async throws {
        let end = try await end { controller, _ in controller.showList() }
        #expect(await Refusal.of { try await end.choose("1", 5) }?.code == WireError.Code.expired.rawValue)
    }

    @Test
    func refusesAChoiceAfterTheEnd() async throws {
        let end = try await end { controller, _ in controller.showList() }
        _ = try await end.list()
        _ = try await end.select("1")
        #expect(await Refusal.of { try await end.choose("1") }?.code == WireError.Code.expired.rawValue)
    }

    @Test
    func tellsTheProviderOfEveryChoiceUntilItEnds() async throws {
        let chosen = Arrival<String>()
        let end = try await end { controller, _ in
            controller.showList().onSelect = { row in
                chosen.arrive(row.identifier)
                if row.identifier == "secret-key-2" { controller.complete("done") }
            }
        }
        _ = try await end.list()
        try await end.choose("1")
        #expect(await chosen.next() == "secret-key-1")
        try await end.choose("1")
        #expect(await chosen.next() == "secret-key-1")
        #expect(try await end.select("2").user == "done")
    }

    @Test
    func takesACancelInsteadOfAList() async throws {
        let end = try await end { controller, _ in
            controller.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
        }
        #expect(await Refusal.of { try await end.list() } == Refusal(1001))
        #expect(end.screens.count == 0)
    }

    @Test
    func doesNotMindAListThatDoesNothing() async throws {
        let end = try await end { controller, _ in controller.showList().onSelect = nil }
        _ = try await end.list()
        try await end.choose("1")
        try end.cancel(1)
        #expect(await Refusal.of { try await end.answer() } == Refusal(1001))
    }

    @Test
    func endsAWaitForAListThatNeverComes() async throws {
        let prepared = Arrival<Bool>()
        let end = try await end { _, _ in prepared.arrive(true) }
        end.beginList(3)
        _ = await prepared.next()
        try end.cancel(3)
        #expect(await Refusal.of { try await end.answer(3) } == Refusal(1001))
        #expect(end.screens.count == 0)
    }

    @Test
    func refusesAListOfAnUnknownType() async throws {
        let end = try await DaemonEnd.started {
            Issue.record("a controller was made")
            return ScriptedController()
        }
        end.beginList(1, type: "passkey")
        #expect(await Refusal.of { try await end.answer() }?.code == 1000)
    }

    @Test
    func cutsAListThatNoMessageHolds() async throws {
        let end = try await end { controller, _ in
            let list = ListView()
            let rows = (0..<250).map {
                ListView.Row(identifier: "\($0)", title: "\($0)" + String(repeating: "\u{1}", count: 1000))
            }
            list.sections = [.init(title: "", rows: rows), .init(title: "b", rows: [rows[0]])]
            controller.view.addSubview(list)
        }
        var total = try await end.list().reduce(0) { $0 + $1.rows.count }
        #expect(total == 100)
        for _ in 0..<4 {
            let list = end.lists[1]
            try await end.act(list, "more")
            let shown = try await end.interface()
            // It arrived, so it fitted into a message.
            total = max(total, shown.elements[0].sections?.reduce(0) { $0 + $1.rows.count } ?? 0)
            if shown.elements[0].more == false { break }
        }
        #expect((100..<200).contains(total))
    }
}
