// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct KnownPasswordsTests {
    private let known = KnownPasswords()
    private let other: BundleIdentifier
    private let place: Origin

    init() throws {
        other = try #require(BundleIdentifier("com.example.other"))
        place = try #require(Origin(written: "shiny.example.com"))
    }

    private func identity(
        _ record: String? = "r1", user: String = "rmondello", at service: String = "shiny.example.com",
        type: CredentialType = .password
    ) -> CredentialIdentity {
        CredentialIdentity(
            type: type, service: ServiceIdentifier(written: service), user: user, recordIdentifier: record)
    }

    private func release(
        _ password: String, of identity: CredentialIdentity, by provider: BundleIdentifier = .builtIn
    ) {
        known.released(
            HeldCredential(
                identity: identity, provider: provider, password: secret(password)))
    }

    private func secret(_ text: String) -> HeldSecret {
        HeldSecret(WireSecret(SecretBytes(utf8: text)))
    }

    /// Whether a text is known as an account's password.
    private func isSame(
        _ typed: String, _ identity: CredentialIdentity, _ provider: BundleIdentifier = .builtIn
    ) -> Bool? {
        known.compare(SecretBytes(utf8: typed), with: identity, of: provider)?.isSame
    }

    private func isWithCode(_ typed: String) -> Bool? {
        known.compare(SecretBytes(utf8: typed), with: identity(), of: .builtIn)?.isWithCode
    }

    @Test func releasedPasswordIsKnown() {
        release("canary", of: identity())
        #expect(isSame("canary", identity()) == true && isSame("Canary", identity()) == false)
        // The same record, saved for another host too.
        #expect(isSame("canary", identity(at: "login.example.com")) == true)
    }

    @Test("S44: what was released of one account says nothing about another account, provider, place or user")
    func isOfOneAccount() {
        release("canary", of: identity())
        #expect(isSame("canary", identity("r2")) == nil)
        #expect(isSame("canary", identity(), other) == nil)
        release("canary", of: identity(nil))
        #expect(isSame("canary", identity(nil)) == true)
        for stranger in [identity(nil, user: "anna"), identity(nil, at: "bank.example.com")] {
            #expect(isSame("canary", stranger) == nil)
        }
        #expect(isSame("canary", identity(nil), other) == nil)
    }

    @Test func latestReleaseCounts() {
        release("old", of: identity())
        release("new", of: identity())
        #expect(isSame("old", identity()) == false && isSame("new", identity()) == true)
    }

    @Test func savedPasswordTakesThePlaceOfWhatWasKnown() {
        release("old", of: identity())
        known.saved(secret("new"), at: place, user: "rmondello", by: .builtIn)
        #expect(isSame("new", identity()) == true && isSame("old", identity()) == false)
        #expect(isSame("new", identity("r9")) == true)
        #expect(isSame("new", identity(user: "anna")) == nil && isSame("new", identity(), other) == nil)
    }

    @Test func recordThatWasChangedIsKnownNoMore() {
        release("canary", of: identity())
        release("canary", of: identity("r2", user: "anna"))
        known.forget(record: "r1", of: other)
        #expect(isSame("canary", identity()) == true)
        known.forget(record: "r1", of: .builtIn)
        #expect(isSame("canary", identity()) == nil)
        #expect(isSame("canary", identity("r2", user: "anna")) == true)
    }

    @Test func codesAreNotPasswords() {
        release("123456", of: identity(type: .oneTimeCode))
        #expect(isSame("123456", identity()) == nil)
    }

    @Test func codeBehindAPasswordIsSeen() {
        release("correct horse", of: identity())
        for code in ["1234", "123456", "1234567890", "ab12CD"] { #expect(isWithCode("correct horse" + code) == true) }
        let others = [
            "correct horse123", "correct horse12345678901", "correct horse12 456", "orrect horse1234", "1234",
        ]
        for typed in others {
            #expect(isWithCode(typed) == false)
        }
    }

    @Test("S44: a lock forgets what was released")
    func lockForgets() {
        release("canary", of: identity())
        known.saved(secret("canary"), at: place, user: "anna", by: .builtIn)
        known.forgetAll()
        #expect(isSame("canary", identity()) == nil && isSame("canary", identity(user: "anna")) == nil)
    }

    @Test func oldestIsForgotten() {
        for number in 0...KnownPasswords.limit { release("canary", of: identity("r\(number)")) }
        #expect(isSame("canary", identity("r0")) == nil && isSame("canary", identity("r1")) == true)
    }
}
