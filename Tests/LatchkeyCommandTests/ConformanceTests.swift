// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import Testing

@testable import ProviderConformance
@testable import TerminalRendering
@testable import latchkey

/// The pure parts of `latchkey providers test`.
@Suite struct ConformanceTests {
    private let info: [String: Any] = [
        "CFBundleIdentifier": "com.example.acme", "CFBundleExecutable": "acme",
        "NSExtension": ["NSExtensionPointIdentifier": TestedBundle.extensionPoint],
    ]
    private let entitlements: [String: Any] = [TestedBundle.entitlement: true]

    private func fault(_ change: (inout [String: Any], inout [String: Any]) -> Void) -> String? {
        var (info, entitlements) = (info, entitlements)
        change(&info, &entitlements)
        do {
            _ = try TestedBundle(info: info, entitlements: entitlements, folder: "/a.appex")
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func readsABundle() throws {
        let bundle = try TestedBundle(info: info, entitlements: entitlements, folder: "/a.appex")
        #expect(bundle.executable == "/a.appex/acme")
        // Without capabilities a provider provides passwords.
        #expect(bundle.provides == ["passwords"])
        #expect(!bundle.showsConfiguration)
    }

    @Test func capabilitiesSayWhatItProvides() throws {
        var info = info
        info["NSExtension"] = [
            "NSExtensionPointIdentifier": TestedBundle.extensionPoint,
            "NSExtensionAttributes": [
                "ASCredentialProviderExtensionCapabilities": [
                    "ProvidesOneTimeCodes": true, "ProvidesPasswords": false, "ShowsConfigurationUI": true,
                    "ProvidesFutureThings": true,
                ]
            ],
        ]
        let bundle = try TestedBundle(info: info, entitlements: entitlements, folder: "/a.appex")
        #expect(bundle.provides == ["one-time-codes"])
        #expect(bundle.showsConfiguration)
    }

    @Test func refusesWhatLatchkeyRefuses() {
        #expect(fault { info, _ in info["CFBundleIdentifier"] = nil }?.contains("CFBundleIdentifier") == true)
        #expect(fault { info, _ in info["CFBundleIdentifier"] = "../etc" }?.contains("CFBundleIdentifier") == true)
        #expect(fault { info, _ in info["CFBundleIdentifier"] = 7 }?.contains("CFBundleIdentifier") == true)
        #expect(fault { info, _ in info["CFBundleIdentifier"] = "org.latchkey.passwords" }?.contains("own") == true)
        for program in ["", "../sh", "/bin/sh", ".hidden"] {
            #expect(fault { info, _ in info["CFBundleExecutable"] = program }?.contains("CFBundleExecutable") == true)
        }
        #expect(fault { info, _ in info["NSExtension"] = ["NSExtensionPointIdentifier": "x"] } != nil)
        #expect(fault { info, _ in info["NSExtension"] = "text" } != nil)
        #expect(fault { _, entitlements in entitlements[TestedBundle.entitlement] = nil } != nil)
        #expect(fault { _, entitlements in entitlements[TestedBundle.entitlement] = "true" } != nil)
        #expect(fault { _, list in list["com.apple.security.application-groups"] = ["../x"] } != nil)
    }

    @Test func refusesFoldersThatAreNone() {
        let home = TestHome()
        for folder in ["/absent.appex", home.folder, home.folder + "/data"] {
            #expect(throws: ConformanceFault.self) { try TestedBundle(folder: folder) }
        }
    }

    private func identities(_ change: (inout IdentityStatement) -> Void = { _ in }) throws -> JSONValue {
        var identity = IdentityStatement(
            type: "password", service: ServiceStatement(type: 0, identifier: "a.example"), user: "me",
            recordIdentifier: "1", rank: 0)
        change(&identity)
        return try JSONValue(encoding: IdentitiesParams(identities: [identity]))
    }

    @Test func theStoreKeepsWhatItIsGiven() throws {
        var store = StorePlayer()
        _ = try store.answer("store.save", identities())
        _ = try store.answer("store.save", identities { $0.rank = 5 })
        #expect(store.identities.count == 1)
        let begun = try store.answer("store.begin", .object(["operation": .string("replace")]))
        guard case .object(var params) = try identities({ $0.user = "you" }) else { return }
        params["batch"] = begun["batch"]
        _ = try store.answer("store.append", .object(params))
        #expect(store.identities.values.map(\.user) == ["me"])
        _ = try store.answer("store.commit", .object(["batch": .integer(1)]))
        #expect(store.identities.values.map(\.user) == ["you"])
        _ = try store.answer("store.remove", identities { $0.user = "you" })
        #expect(store.identities.isEmpty)
        #expect(store.faults.isEmpty)
    }

    @Test func theStoreRefusesAndNotesWhatIsWrong() throws {
        let wrong: [(String, JSONValue)] = [
            ("store.save", .object([:])), ("store.unknown", .object([:])),
            ("store.begin", .object(["operation": .string("drop")])), ("store.commit", .object(["batch": .integer(9)])),
            ("store.save", try identities { $0.type = "cookie" }),
            ("store.save", try identities { $0.service.type = 3 }),
            ("store.save", try identities { $0.user = String(repeating: "a", count: 1_025) }),
            ("store.save", try identities { $0.service.identifier = "" }),
            ("store.save", try identities { $0.service.identifier = "a.example/login" }),
            ("store.save", try identities { $0.service = ServiceStatement(type: 1, identifier: "a.example") }),
        ]
        for (method, params) in wrong {
            var store = StorePlayer()
            #expect(throws: WireError.self) { try store.answer(method, params) }
            #expect(store.faults.count == 1)
            #expect(store.identities.isEmpty)
        }
    }

    @Test(arguments: [(StorePlayer.Mood.disabled, 1201), (.busy, 1202)])
    func aStoreThatCannotBeChangedIsNoFaultOfTheProviders(mood: StorePlayer.Mood, code: Int) throws {
        var store = StorePlayer(mood: mood)
        #expect(throws: WireError(WireError.Code(rawValue: code), store.refusalText)) {
            try store.answer("store.save", identities())
        }
        #expect(store.faults.isEmpty)
        #expect(try store.answer("store.state", .object([:]))["enabled"] == .bool(mood != .disabled))
    }

    /// Whether Sign in with Apple, as it is played, takes a request; and what it notes otherwise.
    private func authorize(
        _ player: inout AuthorizationPlayer, _ request: Int, _ state: String?, _ nonce: String? = nil
    ) throws -> Modification.Authorize.Answer? {
        let params = Modification.Authorize.Params(request: request, state: state, nonce: nonce)
        return try player.answer(try JSONValue(encoding: params))
    }

    @Test func signInWithAppleIsPlayedStrictly() throws {
        var player = AuthorizationPlayer()
        player.begin(1, .granted)
        #expect(try authorize(&player, 1, "a", "a")?.state == "a")
        #expect(player.hasAsked(1) && !player.hasAsked(2) && player.faults.isEmpty)
        for (request, mood) in [(2, AuthorizationPlayer.Mood.granted), (3, .granted), (4, .granted), (5, .granted)] {
            player.begin(request, mood)
        }
        // Again, nowhere, used before, empty, too long, a control character of each range.
        let refused: [(Int, String?, String?)] = [
            (1, "b", nil), (9, "b", nil), (2, "a", nil), (3, "c", ""), (4, String(repeating: "x", count: 1025), nil),
            (5, "d\u{85}", nil),
        ]
        for (count, (request, state, nonce)) in refused.enumerated() {
            #expect(throws: WireError.self) { try authorize(&player, request, state, nonce) }
            #expect(player.faults.count == count + 1)
        }
        #expect(throws: WireError.self) { try player.answer(.object([:])) }
    }

    @Test func signInWithAppleEndsAsTheUserHasIt() throws {
        var player = AuthorizationPlayer()
        player.begin(1, .canceled)
        player.begin(2, .failed)
        player.begin(3, .silent)
        func code(_ request: Int) -> Int? {
            do {
                _ = try authorize(&player, request, nil)
                return nil
            } catch {
                return (error as? WireError)?.code.rawValue
            }
        }
        #expect(code(1) == 1001)
        #expect(code(2) == 1000)
        #expect(try authorize(&player, 3, nil) == nil)
        #expect(player.faults.isEmpty)
    }

    @Test(arguments: [
        [:], ["user": "a", "password": "b"], ["user": "", "password": "b", "newPassword": "c"],
        ["user": "a", "password": "b", "newPassword": "b"],
    ])
    func accountsThatAreNoneAreRefused(texts: [String: String]) throws {
        let home = TestHome()
        let path = home.write("account.json", String(decoding: try JSONEncoder().encode(texts), as: UTF8.self))
        #expect(throws: CommandFailure.self) { try TestedAccount.read(path) }
    }

    @Test func aReportPassesOnlyWhenSomethingPassedAndNothingFailed() {
        func report(_ outcomes: ConformanceCheck.Outcome...) -> ConformanceReport {
            ConformanceReport(identifier: "a", checks: outcomes.map { ConformanceCheck(name: "x\u{1B}", outcome: $0) })
        }
        #expect(report(.passed, .skipped("none")).isPassed)
        #expect(!report(.passed, .failed("no")).isPassed)
        #expect(!report(.skipped("none")).isPassed)
        #expect(!report().isPassed)
        let mixed = report(.passed, .failed("n\no"))
        #expect(mixed.checks.map(ConformanceReport.line) == ["passed   x\\u{1B}", "FAILED   x\\u{1B}: n\\u{A}o"])
        #expect(mixed.json.encoded().testText.hasPrefix(#"{"identifier":"a","passed":1,"failed":1,"skipped":0,"#))
    }

    @Test(.tags(.startsProcess)) func whatIsNoBundleIsSaidInOneLine() async {
        let home = TestHome()
        let run = await home.run("providers", "test", "data")
        #expect(run.status == 13)
        #expect(run.error.hasPrefix("latchkey: data is not a bundle that Latchkey takes: the name of the bundle"))
        #expect(await home.run("providers", "test", "absent.appex").status == 5)
        home.write("a.json", "[1]")
        #expect(await home.run("providers", "test", "data", "--answers", "a.json").status == 13)
        #expect(await home.run("providers", "test", "data", "--container", "absent").status == 5)
    }
}

extension StorePlayer {
    fileprivate var refusalText: String {
        mood == .disabled ? "The provider is not enabled." : "Another program changes the store."
    }

    @Test func typesByNameAndPressesWhatIsNamed() throws {
        let interface = InterfaceStatement(
            title: "x",
            elements: [
                InterfaceElement(kind: "text", id: "1", label: "Site"),
                InterfaceElement(kind: "secure", id: "2", placeholder: "PIN"),
                InterfaceElement(kind: "button", id: "3", label: "Add"),
                InterfaceElement(kind: "button", id: "4", label: "Off", enabled: false),
                InterfaceElement(kind: "button", id: "5", label: "Done", style: "default"),
            ])
        func act(_ texts: [String: String], _ pressed: Set<String> = []) -> InterfaceAct? {
            ConformanceAnswers(texts).act(on: interface, without: pressed)
        }
        let all = try #require(act(["Site": "a.example", "PIN": "12", "Add": ""]))
        #expect(all.element == "3")
        #expect(all.fields?.map(\.text.bytes) == [SecretBytes(utf8: "a.example"), SecretBytes(utf8: "12")])
        #expect(act(["Site": "a.example", "Add": ""], ["3"])?.element == "5")
        #expect(act(["Off": ""])?.element == "5")
        #expect(act(["1": "by id"])?.fields?.first?.text.bytes == SecretBytes(utf8: "by id"))
        #expect(ConformanceAnswers(["PIN": ""]).names(interface))
        #expect(!ConformanceAnswers(["Else": ""]).names(interface))
        #expect(!ConformanceAnswers([:]).names(interface))
        let two = InterfaceStatement(
            title: "", elements: ["a", "b"].map { InterfaceElement(kind: "button", id: $0, label: $0) })
        #expect(ConformanceAnswers([:]).act(on: two) == nil)
    }
}
