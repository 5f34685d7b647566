// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PasswordRules
import Testing

@testable import AuthenticationServices

/// What is written into an archive is read from it, and what is not right is not read.
@Suite
struct ArchiveTests {
    private static let service = ASCredentialServiceIdentifier(
        identifier: "org.example.App",
        type: .app,
        displayName: "App"
    )

    private static var passkey: ASPasskeyCredentialIdentity {
        let identity = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "shiny.example.com",
            userName: "rmondello",
            credentialID: Data([1, 0, 255]),
            userHandle: Data([2]),
            recordIdentifier: "r"
        )
        identity.rank = -3
        return identity
    }

    private static var code: ASOneTimeCodeCredentialIdentity {
        let identity = ASOneTimeCodeCredentialIdentity(serviceIdentifier: service, label: "l", recordIdentifier: nil)
        identity.rank = 4
        return identity
    }

    private static var values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues {
        .init(saltInput1: Data([1]), saltInput2: Data([2]))
    }

    private func again<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: archive))
    }

    @Test @MainActor
    func passwordRulesKeepWhatWasWritten() throws {
        let written = UITextInputPasswordRules(descriptor: "required: upper;  minlength: 12; nonsense")
        let read = try again(written)
        #expect(read.passwordRulesDescriptor == "required: upper;  minlength: 12; nonsense")
        #expect((read.copy() as? UITextInputPasswordRules)?.passwordRulesDescriptor == read.passwordRulesDescriptor)
        // What is wrong in rules takes all of them, as everywhere; the text stays.
        #expect(PasswordRules(read) == .unstated)
        let sound = UITextInputPasswordRules(descriptor: "required: upper; maxlength: 9")
        #expect(PasswordRules(sound) == PasswordRules("required: upper; maxlength: 9"))
        #expect(self.read(UITextInputPasswordRules.self, from: [:]) == nil)
    }

    @Test
    func servicesKeepTheirNames() throws {
        let read = try again(Self.service)
        #expect(read.identifier == "org.example.App")
        #expect(read.type == .app)
        #expect(read.displayName == "App")
    }

    @Test
    func identitiesKeepTheirMembers() throws {
        let passkey = try again(Self.passkey)
        #expect(passkey.relyingPartyIdentifier == "shiny.example.com")
        #expect(passkey.userName == "rmondello")
        #expect(passkey.user == "rmondello")
        #expect(passkey.credentialID == Data([1, 0, 255]))
        #expect(passkey.userHandle == Data([2]))
        #expect(passkey.recordIdentifier == "r")
        #expect(passkey.rank == -3)
        #expect(passkey.serviceIdentifier.type == .domain)
        #expect(passkey.serviceIdentifier.identifier == "shiny.example.com")
        let code = try again(Self.code)
        #expect(code.label == "l")
        #expect(code.user == "l")
        #expect(code.recordIdentifier == nil)
        #expect(code.rank == 4)
        #expect(code.serviceIdentifier.identifier == "org.example.App")
    }

    @Test
    func credentialsKeepTheirMembers() throws {
        let password = try again(ASPasswordCredential(user: "u", password: "p"))
        #expect(password.user == "u")
        #expect(password.password == "p")
        #expect(try again(ASOneTimeCodeCredential(code: "123")).code == "123")
        let generated = try again(ASGeneratedPassword(kind: .passphrase, value: "v"))
        #expect(generated.kind == .passphrase)
        #expect(generated.value == "v")
        #expect(
            try again(ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data([5]))).credentialID
                == Data([5]))
    }

    @Test
    func assertionsKeepTheirMembers() throws {
        let read = try again(
            ASPasskeyAssertionCredential(
                userHandle: Data([1]),
                relyingParty: "a",
                signature: Data([2]),
                clientDataHash: Data([3]),
                authenticatorData: Data([4]),
                credentialID: Data([5]),
                extensionOutput: .init(
                    largeBlob: .read(data: Data([6])),
                    prf: .init(first: SymmetricKey(data: [7, 7]), second: SymmetricKey(data: [8]))
                )
            )
        )
        #expect([read.userHandle, read.signature, read.clientDataHash] == [Data([1]), Data([2]), Data([3])])
        #expect([read.authenticatorData, read.credentialID] == [Data([4]), Data([5])])
        #expect(read.relyingParty == "a")
        guard case .read(data: Data([6])) = read.extensionOutput?.largeBlob?.result else {
            Issue.record("the blob is gone")
            return
        }
        #expect(read.extensionOutput?.prf?.first == SymmetricKey(data: [7, 7]))
        #expect(read.extensionOutput?.prf?.second == SymmetricKey(data: [8]))
    }

    @Test
    func registrationsKeepTheirMembers() throws {
        let outputs: [ASPasskeyRegistrationCredentialExtensionOutput?] = [
            nil, .init(), .init(largeBlob: .supported), .init(largeBlob: .unsupported, prf: .unsupported),
            .init(prf: .supported), .init(prf: .init(first: SymmetricKey(data: [1]), second: nil)),
            .init(prf: .init(first: SymmetricKey(data: [1]), second: SymmetricKey(data: [2]))),
        ]
        for output in outputs {
            let read = try again(
                ASPasskeyRegistrationCredential(
                    relyingParty: "a",
                    clientDataHash: Data([1]),
                    credentialID: Data([2]),
                    attestationObject: Data([3]),
                    extensionOutput: output
                )
            )
            #expect(read.relyingParty == "a")
            #expect(
                [read.clientDataHash, read.credentialID, read.attestationObject] == [Data([1]), Data([2]), Data([3])])
            #expect((read.extensionOutput == nil) == (output == nil))
            #expect(read.extensionOutput?.largeBlob?.isSupported == output?.largeBlob?.isSupported)
            #expect(read.extensionOutput?.prf?.isSupported == output?.prf?.isSupported)
            #expect(read.extensionOutput?.prf?.first == output?.prf?.first)
            #expect(read.extensionOutput?.prf?.second == output?.prf?.second)
        }
    }

    @Test
    func passkeyRequestsKeepTheirMembers() throws {
        let request = ASPasskeyCredentialRequest(
            .passkeyRegistration,
            Self.passkey,
            Data([1]),
            .init("strict"),
            [.ES256, .init(-257)],
            .registration(.init(largeBlob: .supportPreferred, prf: .inputValues(Self.values))),
            excluding: [.init(credentialID: Data([9]))]
        )
        let read = try again(request)
        #expect(read.type == .passkeyRegistration)
        #expect(read.credentialIdentity.rank == -3)
        #expect(read.clientDataHash == Data([1]))
        #expect(read.userVerificationPreference == .init(rawValue: "strict"))
        #expect(read.supportedAlgorithms.map(\.rawValue) == [-7, -257])
        #expect(read.excludedCredentials?.map(\.credentialID) == [Data([9])])
        guard case .registration(let input) = read.extensionInput else {
            Issue.record("the input is gone")
            return
        }
        #expect(input.largeBlob?.supportRequirement == .preferred)
        #expect(input.prf?.shouldCheckForSupport == false)
        #expect(input.prf?.inputValues?.saltInput2 == Data([2]))
    }

    @Test
    func assertionRequestsKeepTheirInput() throws {
        let input = ASPasskeyAssertionCredentialExtensionInput(
            largeBlob: .write(Data([1])),
            prf: .inputValues(Self.values, perCredentialInputValues: [Data([3]): Self.values])
        )
        let request = ASPasskeyCredentialRequest(
            credentialIdentity: Self.passkey,
            clientDataHash: Data(),
            userVerificationPreference: .required,
            supportedAlgorithms: [.ES256],
            extensionInput: input
        )
        guard case .assertion(let read) = try again(request).extensionInput else {
            Issue.record("the input is gone")
            return
        }
        guard case .write(Data([1])) = read.largeBlob?.operation else {
            Issue.record("the blob is gone")
            return
        }
        #expect(read.prf?.inputValues?.saltInput1 == Data([1]))
        #expect(read.prf?.perCredentialInputValues?[Data([3])]?.saltInput2 == Data([2]))
        let parameters = ASPasskeyCredentialRequestParameters(
            relyingPartyIdentifier: "a",
            clientDataHash: Data([1]),
            userVerificationPreference: .discouraged,
            allowedCredentials: [Data([2]), Data()],
            extensionInput: .init(largeBlob: .read)
        )
        let readParameters = try again(parameters)
        #expect(readParameters.relyingPartyIdentifier == "a")
        #expect(readParameters.allowedCredentials == [Data([2]), Data()])
        #expect(readParameters.userVerificationPreference == .discouraged)
        guard case .read = readParameters.extensionInput?.largeBlob?.operation else {
            Issue.record("the blob is gone")
            return
        }
        #expect(readParameters.extensionInput?.prf == nil)
    }

    @Test
    func requestsKeepTheirIdentities() throws {
        let code = try again(ASOneTimeCodeCredentialRequest(credentialIdentity: Self.code))
        #expect(code.type == .oneTimeCode)
        #expect(code.credentialIdentity.user == "l")
        let save = try again(
            ASSavePasswordRequest(
                serviceIdentifier: Self.service,
                credential: ASPasswordCredential(user: "u", password: "p"),
                title: "t",
                sessionID: "s",
                event: .generatedPasswordFilled,
                passwordKind: .alphanumeric
            )
        )
        #expect(save.credential.password == "p")
        #expect([save.title, save.sessionID] == ["t", "s"])
        #expect(save.event == .generatedPasswordFilled)
        #expect(save.passwordKind == .alphanumeric)
        #expect(save.serviceIdentifier.displayName == "App")
        let generate = try again(
            ASGeneratePasswordsRequest(
                serviceIdentifier: Self.service,
                passwordFieldPasswordRules: "a",
                confirmPasswordFieldPasswordRules: nil,
                passwordRulesFromQuirks: "c"
            )
        )
        #expect(generate.passwordFieldPasswordRules == "a")
        #expect(generate.confirmPasswordFieldPasswordRules == nil)
        #expect(generate.passwordRulesFromQuirks == "c")
    }

    // MARK: Refusals

    /// An archive whose root says to be of a class and holds what a test gives it.
    private func read<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type,
        from members: [String: Any]
    ) -> Object? {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        for (key, value) in members {
            switch value {
            case let value as Int: archiver.encode(value, forKey: key)
            case let value as String: archiver.encode(NSString(string: value), forKey: key)
            case let value as Data: archiver.encode(NSData(data: value), forKey: key)
            default: archiver.encode(value, forKey: key)
            }
        }
        archiver.finishEncoding()
        guard let coder = try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) else { return nil }
        coder.requiresSecureCoding = true
        coder.decodingFailurePolicy = .setErrorAndReturn
        return (Object.self as any NSSecureCoding.Type).init(coder: coder) as? Object
    }

    @Test
    func nothingIsReadFromAnEmptyArchive() {
        #expect(read(ASCredentialServiceIdentifier.self, from: [:]) == nil)
        #expect(read(ASPasswordCredential.self, from: [:]) == nil)
        #expect(read(ASPasswordCredentialIdentity.self, from: [:]) == nil)
        #expect(read(ASPasswordCredentialRequest.self, from: [:]) == nil)
        #expect(read(ASPasskeyCredentialIdentity.self, from: [:]) == nil)
        #expect(read(ASPasskeyCredentialRequest.self, from: [:]) == nil)
        #expect(read(ASPasskeyCredentialRequestParameters.self, from: [:]) == nil)
        #expect(read(ASPasskeyAssertionCredential.self, from: [:]) == nil)
        #expect(read(ASPasskeyRegistrationCredential.self, from: [:]) == nil)
        #expect(read(ASAuthorizationPlatformPublicKeyCredentialDescriptor.self, from: [:]) == nil)
        #expect(read(ASOneTimeCodeCredential.self, from: [:]) == nil)
        #expect(read(ASOneTimeCodeCredentialIdentity.self, from: [:]) == nil)
        #expect(read(ASOneTimeCodeCredentialRequest.self, from: [:]) == nil)
        #expect(read(ASGeneratedPassword.self, from: [:]) == nil)
        #expect(read(ASGeneratePasswordsRequest.self, from: [:]) == nil)
        #expect(read(ASSavePasswordRequest.self, from: [:]) == nil)
    }

    @Test
    func whatIsThereIsRead() {
        #expect(read(ASOneTimeCodeCredential.self, from: ["code": "1"])?.code == "1")
        #expect(read(ASCredentialServiceIdentifier.self, from: ["identifier": "a", "type": 1])?.type == .URL)
    }

    @Test
    func aTypeThatIsLeftOutIsNotZero() {
        #expect(read(ASCredentialServiceIdentifier.self, from: ["identifier": "a"]) == nil)
        let members: [String: Any] = [
            "serviceIdentifier": Self.service, "credential": ASPasswordCredential(user: "u", password: "p"),
            "sessionID": "s",
        ]
        #expect(read(ASSavePasswordRequest.self, from: members) == nil)
        #expect(read(ASSavePasswordRequest.self, from: members.merging(["event": 0]) { $1 })?.event == .userInitiated)
        #expect(read(ASSavePasswordRequest.self, from: members.merging(["event": 3]) { $1 }) == nil)
    }

    @Test(arguments: [-1, 3, 4, Int.max, Int.min])
    func unknownTypesAreNotRead(type: Int) {
        #expect(read(ASCredentialServiceIdentifier.self, from: ["identifier": "a", "type": type]) == nil)
    }

    @Test(arguments: [("code", Data([1]) as any Sendable), ("code", 1), ("kode", "1")])
    func membersOfAnotherKindAreNotRead(key: String, value: any Sendable) {
        #expect(read(ASOneTimeCodeCredential.self, from: [key: value]) == nil)
    }

    @Test
    func aPasskeyRequestOfAnotherTypeIsNotRead() {
        let members: [String: Any] = [
            "credentialIdentity": Self.passkey, "clientDataHash": Data([1]), "userVerificationPreference": "required",
            "supportedAlgorithms": (try? PropertyListEncoder().encode([-7])) ?? Data(),
        ]
        for type in [0, 3, 4] {
            #expect(read(ASPasskeyCredentialRequest.self, from: members.merging(["type": type]) { $1 }) == nil)
        }
        #expect(read(ASPasskeyCredentialRequest.self, from: members.merging(["type": 1]) { $1 }) != nil)
        let nonsense: [String: Any] = ["type": 1, "supportedAlgorithms": Data("nonsense".utf8)]
        #expect(read(ASPasskeyCredentialRequest.self, from: members.merging(nonsense) { $1 }) == nil)
        let foreign: [String: Any] = ["type": 1, "credentialIdentity": Self.code]
        #expect(read(ASPasskeyCredentialRequest.self, from: members.merging(foreign) { $1 }) == nil)
    }

    @Test
    func brokenArchivesAreNotRead() throws {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: Self.passkey, requiringSecureCoding: true)
        for length in stride(from: 0, to: archive.count, by: 7) {
            let read = try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: ASPasskeyCredentialIdentity.self,
                from: archive.prefix(length)
            )
            #expect(read == nil)
        }
    }
}
