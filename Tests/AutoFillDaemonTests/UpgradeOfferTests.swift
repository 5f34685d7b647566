// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillMatching
import Testing

@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

/// Who may be offered a change of a password.
@Suite struct UpgradeOfferTests {
    private let shiny = Origin(written: "shiny.example.com")

    private func candidate(
        _ name: String = "com.example.shiny.upgrade", app: String = "E5336VM85F.com.example.shiny",
        changes: Bool = true, states: Bool = true, isVerified: Bool = true
    ) throws -> UpgradeOffer.Candidate {
        .init(
            target: UpgradeTarget(
                identifier: try #require(BundleIdentifier(name)), name: "Shiny", app: try #require(AppIdentifier(app)),
                rules: nil),
            changesPasswords: changes, statesHost: states, isVerified: isVerified)
    }

    private func refusal(_ candidates: [UpgradeOffer.Candidate], keeperSaves: Bool = true) -> UpgradeOffer.Refusal? {
        if case .refused(let refusal) = UpgradeOffer(origin: shiny, candidates: candidates, keeperSaves: keeperSaves) {
            refusal
        } else {
            nil
        }
    }

    @Test func offersTheExtensionOfTheSite() throws {
        let other = try candidate(
            "com.example.other.upgrade", app: "E5336VM85F.com.example.other", states: false, isVerified: false)
        let own = try candidate()
        #expect(
            UpgradeOffer(origin: shiny, candidates: [other, own], keeperSaves: true) == .offered(own.target))
    }

    @Test func firstOfTheUsersOrderIsTaken() throws {
        let second = try candidate("com.example.b.upgrade", app: "E5336VM85F.com.example.b")
        let first = try candidate("com.example.a.upgrade", app: "E5336VM85F.com.example.a")
        #expect(
            UpgradeOffer(origin: shiny, candidates: [first, second], keeperSaves: true) == .offered(first.target))
    }

    @Test func refusesWithoutAnExtension() throws {
        #expect(refusal([]) == .noExtension)
        #expect(refusal([try candidate(states: false)]) == .noExtension)
        // What a site has confirmed counts nothing where the app does not state it.
        #expect(refusal([try candidate(states: false, isVerified: true)]) == .noExtension)
    }

    @Test func refusesWhatTheSiteHasNotConfirmed() throws {
        #expect(refusal([try candidate(isVerified: false)]) == .notAssociated)
        #expect(refusal([try candidate(changes: false, isVerified: false)]) == .notAssociated)
    }

    @Test func refusesAnExtensionForOtherKinds() throws {
        #expect(refusal([try candidate(changes: false)]) == .onlyOtherKinds)
    }

    @Test func refusesBothOfTwoThatClaimOneApp() throws {
        let other = try candidate("com.example.shiny.other")
        #expect(refusal([try candidate(), other]) == .contested)
        // It does not help the other one to state nothing.
        #expect(refusal([try candidate(), try candidate("com.example.shiny.other", states: false)]) == .contested)
    }

    @Test func refusesAProviderThatCannotSave() throws {
        #expect(refusal([try candidate()], keeperSaves: false) == .notKept)
    }

    // MARK: Sign in with Apple

    private func converting(
        _ candidate: UpgradeOffer.Candidate, hasClient: Bool = true, isReturnVerified: Bool = true
    ) throws -> UpgradeOffer.Candidate {
        var target = candidate.target
        target.apple =
            hasClient
            ? try AppleClient(identifier: "a", returnURL: "https://shiny.example.com/return", issuer: nil) : nil
        return .init(
            target: target, changesPasswords: candidate.changesPasswords, statesHost: candidate.statesHost,
            isVerified: candidate.isVerified, converts: true, isReturnVerified: isReturnVerified)
    }

    private func apple(_ candidates: [UpgradeOffer.Candidate], keeperSaves: Bool = true) -> UpgradeOffer {
        UpgradeOffer(.signInWithApple, origin: shiny, candidates: candidates, keeperSaves: keeperSaves)
    }

    @Test func offersSignInWithAppleWhoeverKeepsTheAccount() throws {
        let own = try converting(try candidate(changes: false))
        #expect(apple([own]) == .offered(own.target))
        #expect(apple([own], keeperSaves: false) == .offered(own.target))
        #expect(refusal([own]) == .onlyOtherKinds)
    }

    @Test func refusesSignInWithApple() throws {
        #expect(apple([]) == .refused(.noExtension))
        #expect(apple([try candidate()]) == .refused(.onlyPasswords))
        #expect(apple([try converting(try candidate(isVerified: false))]) == .refused(.notAssociated))
        #expect(apple([try converting(try candidate(states: false))]) == .refused(.noExtension))
        #expect(apple([try converting(try candidate(), hasClient: false)]) == .refused(.noClient))
        #expect(apple([try converting(try candidate(), isReturnVerified: false)]) == .refused(.returnNotAssociated))
        let other = try candidate("com.example.shiny.other")
        #expect(apple([try converting(try candidate()), other]) == .refused(.contested))
        for url in ["http://shiny.example.com", "https://shiny.example.com:8443"] {
            let own = try converting(try candidate())
            #expect(
                UpgradeOffer(.signInWithApple, origin: Origin(written: url), candidates: [own], keeperSaves: true)
                    == .refused(.insecure))
        }
    }

    // MARK: Places

    @Test(arguments: ["http://shiny.example.com", "https://shiny.example.com:8443", "http://shiny.example.com:443"])
    func refusesOtherPlaces(url: String) throws {
        let offer = UpgradeOffer(origin: Origin(written: url), candidates: [try candidate()], keeperSaves: true)
        #expect(offer == .refused(.insecure))
    }

    @Test func refusesWhatIsNoPlaceOfTheWeb() throws {
        #expect(UpgradeOffer(origin: nil, candidates: [try candidate()], keeperSaves: true) == .refused(.insecure))
    }
}
