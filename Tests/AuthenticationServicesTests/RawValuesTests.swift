// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AuthenticationServices

/// The numbers and words of Apple's headers, which no symbol graph holds. They are read from what the project covers.
@Suite
struct RawValuesTests {
    private struct Row: Decodable {
        var type: String
        var kind: String
        var name: String
        var swift: String
    }

    private static let codes: [String: @Sendable (Int) -> String?] = [
        "ASExtensionError.Code": { ASExtensionError.Code(rawValue: $0).map { "\($0)" } },
        "ASCredentialIdentityStoreError.Code": { ASCredentialIdentityStoreError.Code(rawValue: $0).map { "\($0)" } },
        "ASAuthorizationError.Code": { ASAuthorizationError.Code(rawValue: $0).map { "\($0)" } },
        "ASWebAuthenticationSessionError.Code": {
            ASWebAuthenticationSessionError.Code(rawValue: $0).map { "\($0)" }
        },
        "ASCredentialServiceIdentifier.IdentifierType": {
            ASCredentialServiceIdentifier.IdentifierType(rawValue: $0).map { "\($0)" }
        },
        "ASCredentialRequestType": { ASCredentialRequestType(rawValue: $0).map { "\($0)" } },
        "ASAuthorizationAppleIDProvider.CredentialState": {
            ASAuthorizationAppleIDProvider.CredentialState(rawValue: $0).map { "\($0)" }
        },
        "ASUserDetectionStatus": { ASUserDetectionStatus(rawValue: $0).map { "\($0)" } },
        "ASUserAgeRange": { ASUserAgeRange(rawValue: $0).map { "\($0)" } },
        "UIKeyboardType": { UIKeyboardType(rawValue: $0).map { "\($0)" } },
        "ASSavePasswordRequest.Event": { ASSavePasswordRequest.Event(rawValue: $0).map { "\($0)" } },
    ]

    private static func cases() throws -> [(type: String, name: String, value: Int)] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/api/covered-declarations.json")
        let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
        return rows.filter { $0.kind == "case" }.compactMap { row in
            let parts = row.swift.components(separatedBy: " = ")
            guard parts.count == 2, let value = Int(parts[1]) else { return nil }
            return (row.type, row.name, value)
        }
    }

    @Test
    func numbersAreApples() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 25)
        for (type, name, value) in cases {
            let code = try #require(Self.codes[type], "\(type) is not compared")
            #expect(code(value) == name)
        }
    }

    @Test
    func otherNumbersAreNothing() throws {
        let cases = try Self.cases()
        for (type, code) in Self.codes {
            let known = cases.filter { $0.type == type }.map(\.value)
            for value in [-1, 5, 12, 99, 103, 999, 1011, Int.max, Int.min] where !known.contains(value) {
                #expect(code(value) == nil, "\(type)")
            }
        }
    }

    @Test
    func numbersOfTheScreen() {
        #expect(UIKeyboardType.alphabet == .asciiCapable)
        #expect([UIStatusBarStyle.default, .lightContent, .darkContent].map(\.rawValue) == [0, 1, 3])
        #expect([UIUserInterfaceStyle.unspecified, .light, .dark].map(\.rawValue) == [0, 1, 2])
        #expect(UIUserInterfaceIdiom.unspecified.rawValue == -1)
        #expect(UITextContentType.oneTimeCode.rawValue == "one-time-code")
        #expect(UITextContentType.newPassword != .password)
        #expect([UITextAutocapitalizationType.none, .sentences, .allCharacters].map(\.rawValue) == [0, 2, 3])
        #expect([UITextAutocorrectionType.default, .no, .yes].map(\.rawValue) == [0, 1, 2])
        #expect([UITextSpellCheckingType.default, .no, .yes].map(\.rawValue) == [0, 1, 2])
        #expect([UIReturnKeyType.default, .go, .next, .done, .continue].map(\.rawValue) == [0, 1, 4, 9, 11])
        #expect([UIModalTransitionStyle.coverVertical, .crossDissolve].map(\.rawValue) == [0, 2])
    }

    @Test
    func wordsAndBits() {
        #expect(ASCOSEAlgorithmIdentifier.ES256.rawValue == -7)
        #expect(ASCOSEEllipticCurveIdentifier.P256.rawValue == 1)
        #expect(ASCredentialIdentityStore.IdentityTypes.password.rawValue == 1)
        #expect(ASCredentialIdentityStore.IdentityTypes.passkey.rawValue == 2)
        #expect(ASCredentialIdentityStore.IdentityTypes.oneTimeCode.rawValue == 4)
        #expect(ASCredentialIdentityStore.IdentityTypes([]).rawValue == 0)
        #expect(ASGeneratedPassword.Kind.strong.rawValue == "STRONG")
        #expect(ASGeneratedPassword.Kind.alphanumeric.rawValue == "ALPHANUMERIC")
        #expect(ASGeneratedPassword.Kind.passphrase.rawValue == "PASSPHRASE")
        #expect(ASExtensionErrorDomain == "ASExtensionErrorDomain")
        #expect(ASCredentialIdentityStoreErrorDomain == "ASCredentialIdentityStoreErrorDomain")
        #expect(ASAuthorizationErrorDomain == "com.apple.AuthenticationServices.AuthorizationError")
        #expect(ASAuthorizationError(.notHandled).errorCode == 1003)
    }

    @Test
    func kindsHaveNamesForPeople() {
        let kinds: [ASGeneratedPassword.Kind] = [.strong, .alphanumeric, .passphrase, .init("NEW")]
        let names = kinds.map { ASGeneratedPassword(kind: $0, value: "").localizedName }
        #expect(Set(names).count == 4)
        #expect(!names.contains(""))
    }
}
