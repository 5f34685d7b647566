// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct SaveDecisionTests {
    private func account(
        _ user: String, same: Bool? = false, old: Bool? = nil, code: Bool = false, updatable: Bool = true,
        in provider: BundleIdentifier = .builtIn
    ) -> SaveDecision.Account {
        .init(provider: provider, user: user, isUpdatable: updatable, isSame: same, hadOld: old, isWithCode: code)
    }

    private func decide(
        _ user: String, _ kind: SubmittedForm.Kind = .current, _ accounts: [SaveDecision.Account] = [],
        savers: Int = 1, appendsCode: Bool = false, mayHoldCode: Bool = false, gaveOld: Bool = false,
        others: [String] = [], sure: Bool = true, chosen: Bool = false
    ) -> SaveDecision {
        SaveDecision(
            user: user, others: others, isNameSure: sure, isNameChosen: chosen, kind: kind, accounts: accounts,
            savers: savers,
            appendsCode: appendsCode,
            mayHoldCode: mayHoldCode, gaveOld: gaveOld)
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
        #expect(decide("bob", .current, [anna, bob]) == .update([bob]))
        #expect(decide("bobby", .current, [anna, bob]) == .save(user: "bobby"))
    }

    @Test func nameInAnotherCaseIsTheSameAccount() {
        let (anna, bob) = (account("anna@example.com"), account("bob"))
        #expect(decide("Anna@Example.com", .current, [anna, bob]) == .update([anna]))
        let same = account("anna@example.com", same: true)
        #expect(decide("ANNA@EXAMPLE.COM", .current, [same]) == .nothing(.known))
        #expect(decide("Bob", .current, [bob], chosen: true) == .save(user: "Bob"))
        // If both are saved, a name means exactly its own account.
        let other = account("ANNA@example.com")
        #expect(decide("ANNA@example.com", .current, [anna, other]) == .update([other]))
        #expect(decide("Anna@example.com", .current, [anna, other]) == .save(user: "Anna@example.com"))
    }

    @Test func withoutANameTheOnlyAccountIsMeantAndNoneOfSeveral() {
        let (anna, bob) = (account("anna"), account("bob"))
        #expect(decide("", .current, [anna]) == .update([anna]))
        #expect(decide("", .current, [anna, bob]) == .nothing(.unclearAccount))
        #expect(decide("", .new, [anna, bob]) == .nothing(.unclearAccount))
    }

    @Test func oldPasswordSaysWhichAccountIsMeant() {
        let (anna, bob) = (account("anna", old: false), account("bob", old: true))
        #expect(decide("", .new, [anna, bob]) == .update([bob]))
        #expect(decide("", .new, [account("anna", old: true), bob]) == .nothing(.unclearAccount))
    }

    @Test func staleSavedPasswordIsAskedAbout() {
        let (anna, bob) = (account("anna", old: false), account("bob", old: false))
        #expect(decide("", .new, [anna], gaveOld: true) == .update([anna]))
        #expect(decide("anna", .new, [anna, bob], gaveOld: true) == .update([anna]))
        #expect(decide("", .new, [anna, bob], gaveOld: true) == .save(user: ""))
        #expect(decide("", .new, [anna, bob]) == .nothing(.unclearAccount))
        #expect(
            decide("", .new, [account("anna", old: false, updatable: false)], gaveOld: true)
                == .nothing(.changedElsewhere))
    }

    @Test func anyTextBeforeAChangeIsNoUserName() {
        let (anna, bob) = (account("anna", old: nil), account("bob", old: true))
        #expect(decide("Anna Smith", .new, [anna], gaveOld: true, sure: false) == .update([anna]))
        #expect(decide("Anna Smith", .new, [anna, bob], gaveOld: true, sure: false) == .update([bob]))
        // The field of a name is one, unless the old password says whose it is.
        #expect(decide("carol", .new, [anna], gaveOld: true) == .save(user: "carol"))
        #expect(decide("carol", .new, [anna, bob], gaveOld: true) == .update([bob]))
        // Without an old password, or with one that two accounts had, nothing says whose it is.
        #expect(decide("Anna Smith", .new, [anna], sure: false) == .save(user: "Anna Smith"))
        #expect(decide("Anna Smith", .current, [anna], gaveOld: true, sure: false) == .save(user: "Anna Smith"))
        let both = [account("anna", old: true), bob]
        #expect(decide("Anna Smith", .new, both, gaveOld: true, sure: false) == .save(user: "Anna Smith"))
        #expect(
            decide("Anna Smith", .new, [account("anna"), account("bob")], gaveOld: true, sure: false)
                == .save(user: "Anna Smith"))
        #expect(decide("bob", .new, both, gaveOld: true, sure: false) == .update([bob]))
    }

    @Test func whicheverNameIsSavedWins() {
        let (anna, bob) = (account("anna"), account("bob"))
        #expect(decide("anna@example.com", .current, [anna, bob], others: ["anna"]) == .update([anna]))
        #expect(
            decide("anna@example.com", .current, [account("anna", same: true)], others: ["anna"]) == .nothing(.known))
        // The one of the form itself comes first; what is nobody's is new.
        #expect(decide("bob", .current, [anna, bob], others: ["anna"]) == .update([bob]))
        #expect(decide("anna@example.com", .current, [bob], others: ["anna"]) == .save(user: "anna@example.com"))
        #expect(decide("", .current, [anna, bob], others: [""]) == .nothing(.unclearAccount))
    }

    @Test func anotherPersonsNameThatWasTypedBeforeIsNotUpdated() {
        #expect(decide("bob", .current, [account("anna")], others: ["anna"]) == .save(user: "bob"))
        let anna = account("anna@example.com")
        #expect(decide("bob@example.com", .current, [anna], others: [anna.user]) == .save(user: "bob@example.com"))
        #expect(decide("bob", .current, [anna], others: ["carl", anna.user]) == .update([anna]))
    }

    @Test func codesBehindPasswordsAreNoNewPasswords() {
        let anna = account("anna", code: true)
        #expect(decide("anna", .current, [anna], appendsCode: true, mayHoldCode: true) == .nothing(.known))
        #expect(decide("anna", .current, [anna]) == .update([anna]))
        #expect(decide("anna", appendsCode: true, mayHoldCode: true) == .nothing(.appendedCode))
        #expect(decide("anna", appendsCode: true) == .save(user: "anna"))
    }

    @Test func providersThatDoNotSaveAreNotOffered() {
        #expect(decide("anna", savers: 0) == .nothing(.nobodySaves))
        let elsewhere = account("anna", updatable: false)
        #expect(decide("anna", .current, [elsewhere]) == .nothing(.changedElsewhere))
        #expect(decide("anna", .current, [elsewhere], savers: 0) == .nothing(.nobodySaves))
        let here = account("anna")
        #expect(decide("anna", .current, [elsewhere, here]) == .update([here]))
    }

    @Test("S44: what has not been released or saved since the last unlock is asked about, never looked up")
    func unknownPasswordIsAskedAbout() {
        let anna = account("anna", same: nil)
        #expect(decide("anna", .current, [anna]) == .update([anna]))
        #expect(decide("", .current, [anna]) == .update([anna]))
        #expect(decide("", .current, [anna, account("bob", same: nil)]) == .nothing(.unclearAccount))
        #expect(decide("anna", .current, [account("anna", same: nil, updatable: false)]) == .nothing(.changedElsewhere))
        #expect(decide("anna", .current, [anna, account("anna", same: true)]) == .nothing(.known))
    }

    @Test("S44: of several providers with the account the user says which; the one whose password was seen comes first")
    func userSaysWhichProviderIsUpdated() throws {
        let other = try #require(BundleIdentifier("com.example.other"))
        let third = try #require(BundleIdentifier("com.example.third"))
        let (here, seen) = (account("anna", same: nil), account("anna", same: false, in: other))
        let elsewhere = account("anna", same: false, updatable: false, in: third)
        #expect(decide("anna", .current, [here, seen]) == .update([seen, here]))
        #expect(decide("anna", .current, [elsewhere, here]) == .update([here]))
        // One of each provider.
        #expect(decide("anna", .current, [here, account("anna"), seen]) == .update([seen, here]))
    }

    @Test("S44: a password that was changed at its site is not lost where nobody knows whose it is")
    func changedPasswordOfAnUnclearAccount() {
        let both = [account("anna", same: nil), account("bob", same: nil)]
        #expect(decide("", .new, both, gaveOld: true) == .save(user: ""))
        #expect(decide("", .new, both) == .nothing(.unclearAccount))
        #expect(decide("", .current, both, gaveOld: true) == .nothing(.unclearAccount))
        #expect(decide("", .new, both, savers: 0, gaveOld: true) == .nothing(.unclearAccount))
        let elsewhere = [account("anna", updatable: false), account("bob", updatable: false)]
        #expect(decide("", .new, elsewhere, gaveOld: true) == .nothing(.unclearAccount))
    }
}
