// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct AppChooserTests {
    private func app(_ path: String = "/usr/bin/shiny") throws -> VerifiedApp {
        let entitlement = AppEntitlement(identifier: try #require(AppIdentifier(FakeApp.identifier)), domains: [])
        let caller = CallerIdentity(
            process: 1, program: CallerProgram(path: path, digest: "d", standing: .rootOwned), sandbox: nil, unit: nil)
        let claim = AppClaim(subject: .executable(path), entitlement: entitlement, file: "/f")
        let grounds = AppPolicy.Grounds(catalog: AppCatalog(claims: [claim]), decisions: [])
        guard case .known(let app) = AppPolicy.standing(of: caller, grounds) else { throw WireError(.refused, "") }
        return app
    }

    private func rows(_ count: Int) -> [AppChooser.Row] {
        (0..<count).map { number in
            .init(
                provider: .builtIn,
                identity: CredentialIdentity(
                    type: .password, service: .init(written: "shiny.example.com"), user: "user\(number)",
                    recordIdentifier: "r\(number)"),
                providerName: nil)
        }
    }

    private func act(_ element: String, _ action: String, row: String? = nil, text: String? = nil) -> InterfaceAct {
        .init(element: element, action: action, row: row, text: text.map { WireSecret(SecretBytes(utf8: $0)) })
    }

    @Test(arguments: [0, 1, 12, 13, 100, 101, 5_000])
    func everyInterfaceIsWithinTheBounds(count: Int) throws {
        let chooser = AppChooser(app: try app(), rows: rows(count), problems: [])
        try chooser.interface.check()
        let list = chooser.interface.elements.first { $0.kind == "list" }
        #expect((list?.sections?.flatMap(\.rows).count ?? 0) == min(count, 100))
        #expect((list?.search ?? false) == (count > 12))
    }

    @Test func longTextsAreWithinTheBounds() throws {
        let path = "/" + String(repeating: "é", count: 3_000)
        var row = rows(1)[0]
        row = .init(
            provider: .builtIn,
            identity: CredentialIdentity(
                type: .password, service: .init(written: "shiny.example.com"), user: String(repeating: "ü", count: 512),
                recordIdentifier: nil),
            providerName: String(repeating: "n", count: 2_000))
        try AppChooser(app: try app(path), rows: [row], problems: []).interface.check()
        try AppChooser(app: try app(path), rows: [], problems: [path, path]).interface.check()
        let claim = AppEntitlement(
            identifier: try #require(AppIdentifier(FakeApp.identifier)),
            domains: (0..<100).map { _ in String(repeating: "d", count: 512) })
        try AppChooser.question(
            claim, CallerProgram(path: path, digest: "d", standing: .changeable("a test")), before: nil
        ).check()
    }

    @Test func selectedRowIsChosen() throws {
        var chooser = AppChooser(app: try app(), rows: rows(3), problems: [])
        #expect(chooser.take(act("passwords", "select", row: "2")) == .chosen(rows(3)[2]))
    }

    @Test("S5: an act on what is not there does nothing", arguments: ["3", "-1", "x", "", "99999999999999999999"])
    func otherRows(row: String) throws {
        var chooser = AppChooser(app: try app(), rows: rows(3), problems: [])
        #expect(chooser.take(act("passwords", "select", row: row)) == .nothing)
        #expect(chooser.take(act("app", "select", row: "0")) == .nothing)
        #expect(chooser.take(act("passwords", "press", row: "0")) == .nothing)
        #expect(chooser.take(act("passwords", "select")) == .nothing)
    }

    @Test func searchNarrowsAndKeepsTheRowsNames() throws {
        var chooser = AppChooser(app: try app(), rows: rows(200), problems: [])
        #expect(chooser.take(act("passwords", "search", text: "USER150")) == .redraw)
        let shown = chooser.interface.elements.flatMap { $0.sections ?? [] }.flatMap(\.rows)
        #expect(shown.map(\.id) == ["150"])
        #expect(chooser.take(act("passwords", "select", row: "150")) == .chosen(rows(200)[150]))
        #expect(chooser.take(act("passwords", "search", text: "nobody")) == .redraw)
        try chooser.interface.check()
    }

    // MARK: Lists of providers

    @Test(arguments: [0, 1, 5_000])
    func listsComeLastWhateverThereIs(count: Int) throws {
        var chooser = AppChooser(app: try app(), rows: rows(count), problems: [])
        chooser.lists = (0..<20).map { .init(identifier: "com.example.p\($0)", name: "P\($0)") }
        try chooser.interface.check()
        #expect(shown(chooser).suffix(20).map(\.title) == (0..<20).map { "More in P\($0)…" })
        let provider = try #require(BundleIdentifier("com.example.p7"))
        #expect(chooser.take(act("passwords", "select", row: "more-com.example.p7")) == .list(provider))
        // A search is for what is here.
        _ = chooser.take(act("passwords", "search", text: "nobody"))
        #expect(shown(chooser).count == 20)
    }

    @Test func longNamesAreWithinTheBounds() throws {
        var chooser = AppChooser(app: try app(), rows: [], problems: [])
        chooser.lists = [.init(identifier: "com.example.p", name: DisplayText(String(repeating: "ü", count: 5_000)))]
        try chooser.interface.check()
    }

    @Test(
        "S5: a provider that is not listed is gone to by no act",
        arguments: ["more-", "more-com.example.q", "com.example.p"])
    func otherLists(row: String) throws {
        var chooser = AppChooser(app: try app(), rows: rows(1), problems: [])
        chooser.lists = [.init(identifier: "com.example.p", name: "P")]
        #expect(chooser.take(act("passwords", "select", row: row)) == .nothing)
        #expect(chooser.take(act("passwords", "press", row: "more-com.example.p")) == .nothing)
    }

    // MARK: Rows that come and go

    private func shown(_ chooser: AppChooser) -> [ListRow] {
        chooser.interface.elements.flatMap { $0.sections ?? [] }.flatMap(\.rows)
    }

    @Test func rowsThatStayKeepTheirNames() throws {
        var chooser = AppChooser(app: try app(), rows: rows(3), problems: [])
        let new = AppChooser.Row(
            provider: .receivedCodes, identity: rows(9)[8].identity, providerName: nil, isUnbound: true)
        #expect(chooser.replace([new] + [rows(3)[2], rows(3)[1]]) == true)
        #expect(shown(chooser).map(\.id) == ["3", "2", "1"])
        #expect(chooser.take(act("passwords", "select", row: "2")) == .chosen(rows(3)[2]))
        // Neither what is gone nor what takes its place is meant by its name, also when it comes back.
        #expect(chooser.take(act("passwords", "select", row: "0")) == .nothing)
        #expect(chooser.replace(rows(3)) == true)
        #expect(shown(chooser).map(\.id) == ["4", "1", "2"])
        #expect(chooser.take(act("passwords", "select", row: "0")) == .nothing)
        #expect(chooser.take(act("passwords", "select", row: "3")) == .nothing)
    }

    @Test func rowsThatAreAlikeHaveNamesOfTheirOwn() throws {
        let row = rows(1)[0]
        var chooser = AppChooser(app: try app(), rows: [row, row], problems: [])
        #expect(chooser.replace([row, row]) == false)
        #expect(shown(chooser).map(\.id) == ["0", "1"])
        #expect(chooser.replace([row]) == true)
        #expect(shown(chooser).map(\.id) == ["0"])
    }

    @Test(arguments: [0, 1, 13, 200])
    func theSameRowsChangeNothing(count: Int) throws {
        var chooser = AppChooser(app: try app(), rows: rows(count), problems: [])
        let before = chooser.interface
        #expect(chooser.replace(rows(count)) == false)
        #expect(chooser.interface == before)
    }

    @Test func searchStaysWhenRowsGo() throws {
        var chooser = AppChooser(app: try app(), rows: rows(20), problems: [])
        #expect(chooser.take(act("passwords", "search", text: "user1")) == .redraw)
        #expect(chooser.replace(rows(3)) == true)
        #expect(shown(chooser).map(\.id) == ["1"])
        // Without the field what was searched for could not be taken back.
        #expect(chooser.interface.elements.contains { $0.search == true })
        #expect(chooser.take(act("passwords", "search", text: "")) == .redraw)
        #expect(shown(chooser).map(\.id) == ["0", "1", "2"])
    }
}
