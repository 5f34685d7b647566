// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillDaemon

@Suite struct SaveDecisionTests {
    private func account(
        _ user: String, same: Bool? = false, old: Bool? = nil, code: Bool = false, updatable: Bool = true
    ) -> SaveDecision.Account {
        .init(provider: .builtIn, user: user, isUpdatable: updatable, isSame: same, hadOld: old, isWithCode: code)
    }

    private func decide(
        _ user: String, _ kind: SubmittedForm.Kind = .current, _ accounts: [SaveDecision.Account] = [],
        savers: Int = 1, appendsCode: Bool = false, mayHoldCode: Bool = false
    ) -> SaveDecision {
        SaveDecision(
            user: user, kind: kind, accounts: accounts, savers: savers, appendsCode: appendsCode,
            mayHoldCode: mayHoldCode)
    }

    @Test func whatIsNotSavedIsNew() {
        #expect(decide("anna") == .save(user: "anna"))
        #expect(decide("") == .save(user: ""))
        #expect(decide("anna", .current, [account("bob", same: true)]) == .save(user: "anna"))
    }

    @Test func whatIsSavedIsAskedForByNobody() {
        #expect(decide("anna", .current, [account("anna", same: true)]) == .nothing(.known))
        #expect(decide("", .current, [account("anna"), account("bob", same: true)]) == .nothing(.known))
        // One of two copies has it.
        #expect(decide("anna", .current, [account("anna"), account("anna", same: true)]) == .nothing(.known))
    }

    @Test("S13: only the very user's account is updated")
    func onlyTheVeryUserIsUpdated() {
        let (anna, bob) = (account("anna"), account("bob"))
        #expect(decide("bob", .current, [anna, bob]) == .update(bob))
        #expect(decide("BOB", .current, [anna, bob]) == .save(user: "BOB"))
    }

    @Test func withoutANameTheOnlyAccountIsMeantAndNoneOfSeveral() {
        let (anna, bob) = (account("anna"), account("bob"))
        #expect(decide("", .current, [anna]) == .update(anna))
        #expect(decide("", .current, [anna, bob]) == .nothing(.unclearAccount))
        #expect(decide("", .new, [anna, bob]) == .nothing(.unclearAccount))
    }

    @Test func oldPasswordSaysWhichAccountIsMeant() {
        let (anna, bob) = (account("anna", old: false), account("bob", old: true))
        #expect(decide("", .new, [anna, bob]) == .update(bob))
        #expect(decide("", .new, [account("anna", old: true), bob]) == .nothing(.unclearAccount))
        // It is no account of these.
        #expect(decide("", .new, [anna]) == .nothing(.unclearAccount))
    }

    @Test func codesBehindPasswordsAreNoNewPasswords() {
        let anna = account("anna", code: true)
        #expect(decide("anna", .current, [anna], appendsCode: true, mayHoldCode: true) == .nothing(.known))
        #expect(decide("anna", .current, [anna]) == .update(anna))
        #expect(decide("anna", appendsCode: true, mayHoldCode: true) == .nothing(.appendedCode))
        #expect(decide("anna", appendsCode: true) == .save(user: "anna"))
    }

    @Test func providersThatDoNotSaveAreNotOffered() {
        #expect(decide("anna", savers: 0) == .nothing(.nobodySaves))
        let elsewhere = account("anna", updatable: false)
        #expect(decide("anna", .current, [elsewhere]) == .nothing(.changedElsewhere))
        #expect(decide("anna", .current, [elsewhere], savers: 0) == .nothing(.nobodySaves))
        let here = account("anna")
        #expect(decide("anna", .current, [elsewhere, here]) == .update(here))
    }
}
