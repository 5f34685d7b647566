// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AuthenticationServices

/// What is exchanged between providers has the names of the credential exchange format and is read back as it was.
@Suite
struct ExchangeTests {
    private static let field = ASImportableEditableField(
        id: Data([1]),
        fieldType: .concealedString,
        value: "hunter2",
        label: "l"
    )
    private static let bytes = Data("hunter2".utf8)

    private static let credentials: [(String, ASImportableCredential)] = [
        (
            "address",
            .address(
                .init(streetAddress: field, postalCode: nil, city: nil, territory: nil, country: nil, telephone: field))
        ),
        (
            "api-key",
            .apiKey(.init(key: field, userName: field, keyType: nil, url: nil, validFrom: nil, expiryDate: nil))
        ),
        ("basic-auth", .basicAuthentication(.init(userName: field, password: field))),
        (
            "credit-card",
            .creditCard(
                .init(
                    number: field, fullName: nil, cardType: nil, verificationNumber: field, pin: nil, expiryDate: nil,
                    validFrom: nil))
        ),
        ("custom-fields", .customFields(.init(id: nil, label: "l", fields: [field, field]))),
        (
            "drivers-license",
            .driversLicense(
                .init(
                    fullName: field, birthDate: nil, issueDate: nil, expiryDate: nil, issuingAuthority: nil,
                    territory: nil, country: nil, licenseNumber: field, licenseClass: nil))
        ),
        ("generated-password", .generatedPassword(.init(password: "hunter2"))),
        (
            "identity-document",
            .identityDocument(
                .init(
                    issuingCountry: field, documentNumber: nil, identificationNumber: nil, nationality: nil,
                    fullName: nil, birthDate: nil, birthPlace: nil, sex: nil, issueDate: nil, expiryDate: nil,
                    issuingAuthority: field))
        ),
        ("item-reference", .itemReference(.init(reference: .init(item: Data([1]), account: Data([2]))))),
        ("note", .note(.init(content: field))),
        (
            "passkey",
            .passkey(
                .init(
                    credentialID: Data([1]), relyingPartyIdentifier: "a", userName: "u", userDisplayName: "d",
                    userHandle: Data([2]), key: bytes))
        ),
        (
            "passport",
            .passport(
                .init(
                    issuingCountry: field, passportType: nil, passportNumber: field,
                    nationalIdentificationNumber: nil, nationality: nil, fullName: nil, birthDate: nil,
                    birthPlace: nil, sex: nil, issueDate: nil, expiryDate: nil, issuingAuthority: nil))
        ),
        (
            "person-name",
            .personName(
                .init(
                    title: nil, given: field, givenInformal: nil, given2: nil, surnamePrefix: nil, surname: field,
                    surname2: nil, credentials: nil, generation: nil))
        ),
        (
            "ssh-key",
            .sshKey(
                .init(
                    keyType: "ssh-ed25519", privateKey: bytes, keyComment: nil, creationDate: nil, expiryDate: nil,
                    keyGenerationSource: nil))
        ),
        (
            "totp",
            .totp(.init(secret: bytes, period: 30, digits: 6, userName: "u", algorithm: .sha256, issuer: nil))
        ),
        ("wifi", .wifi(.init(ssid: field, networkSecurityType: nil, passphrase: field))),
    ]

    private static let export = ASExportedCredentialData(
        accounts: [
            .init(
                id: Data([1]),
                userName: "u",
                email: "u@a.example",
                collections: [
                    .init(id: Data([2]), created: nil, lastModified: nil, title: "c", items: [.init(item: Data([3]))])
                ],
                items: [
                    .init(
                        id: Data([3]),
                        created: Date(timeIntervalSince1970: 1),
                        lastModified: Date(timeIntervalSince1970: 2),
                        title: "t",
                        scope: .init(
                            urls: [URL(fileURLWithPath: "/")],
                            androidApps: [
                                .init(
                                    bundleID: "b", certificate: .init(fingerprint: Data(), hashAlgorithm: "sha256"),
                                    name: nil)
                            ]),
                        credentials: credentials.map(\.1)
                    )
                ]
            )
        ],
        formatVersion: .v1,
        exporterRelyingPartyIdentifier: "a.example",
        exporterDisplayName: "A",
        timestamp: Date(timeIntervalSince1970: 3)
    )

    private func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test
    func credentialsSayWhatTheyAre() throws {
        for (type, credential) in Self.credentials {
            #expect(try object(credential)["type"] as? String == type)
            let read = try JSONDecoder().decode(ASImportableCredential.self, from: JSONEncoder().encode(credential))
            #expect(read == credential)
        }
        #expect(Set(Self.credentials.map(\.0)).count == 16)
    }

    @Test
    func anExportIsReadAsItWasWritten() throws {
        let read = try JSONDecoder().decode(ASExportedCredentialData.self, from: JSONEncoder().encode(Self.export))
        #expect(read == Self.export)
        let root = try object(Self.export)
        #expect(Set(root.keys) == ["version", "exporterRpId", "exporterDisplayName", "timestamp", "accounts"])
        let account = try #require((root["accounts"] as? [[String: Any]])?.first)
        #expect(Set(account.keys) == ["id", "username", "email", "collections", "items"])
        let item = try #require((account["items"] as? [[String: Any]])?.first)
        #expect(
            Set(item.keys) == ["id", "creationAt", "modifiedAt", "title", "favorite", "scope", "credentials", "tags"]
        )
    }

    @Test
    func fieldsHaveTheNamesOfTheFormat() throws {
        #expect(try object(Self.field)["fieldType"] as? String == "concealed-string")
        let passkey = try object(Self.credentials[10].1)
        #expect(
            Set(passkey.keys) == ["type", "credentialId", "rpId", "username", "userDisplayName", "userHandle", "key"])
        #expect(Set(try object(Self.credentials[0].1).keys) == ["type", "streetAddress", "tel"])
        #expect(try object(ASImportableExtension.shared(.init()))["name"] as? String == "shared")
    }

    @Test(arguments: [
        "{}", #"{"type": "pigeon"}"#, #"{"type": "Note"}"#, #"{"type": 1}"#, #"{"type": "note"}"#, #"{"type": "totp"}"#,
        #"{"type": "totp", "secret": "", "period": -1, "digits": 6, "algorithm": "sha1"}"#,
        #"{"type": "totp", "secret": "", "period": 30, "digits": 70000, "algorithm": "sha1"}"#,
        #"{"type": "totp", "secret": "", "period": 30, "digits": 6, "algorithm": "md5"}"#,
        #"{"type": "note", "content": {"fieldType": "strange", "value": "v"}}"#, #"{"type": "note", "content": "v"}"#,
        "[]", "\"note\"", "null", "",
    ])
    func refusesWhatIsNoCredential(text: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(ASImportableCredential.self, from: Data(text.utf8))
        }
    }

    @Test(arguments: [#"{"name": "hidden"}"#, "{}", #"{"name": 1}"#])
    func refusesWhatIsNoExtension(text: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(ASImportableExtension.self, from: Data(text.utf8))
        }
    }

    @Test
    func refusesSecretsOfAnAlgorithmThatIsNotKnown() {
        let text = #"{"algorithm": "hmac-sha256", "credWithUV": "", "credWithoutUV": ""}"#
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(ASImportableFIDO2HMACCredential.self, from: Data(text.utf8))
        }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(
                ASImportableFIDO2Extensions.self, from: Data("{\"hmacCredentials\": \(text)}".utf8))
        }
    }

    @Test
    func secretsPrintAsNothing() {
        var texts = [String(describing: Self.export), String(reflecting: Self.export)]
        var dumped = ""
        dump(Self.export, to: &dumped)
        texts.append(dumped)
        let blob = ASImportableFIDO2LargeBlob(uncompressedSize: 1, data: Self.bytes)
        texts.append("\(blob) \(String(reflecting: blob))")
        for text in texts {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("\(Self.bytes.map { $0 })"))
            #expect(!text.contains("7 bytes"))
        }
    }
}
