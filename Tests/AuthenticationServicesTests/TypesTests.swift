// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

@Suite
struct TypesTests {
    @Test
    func errorsMatchTheirCodes() {
        let errors: [any Error] = [
            ASExtensionError(.userCanceled), NSError(domain: "ASExtensionErrorDomain", code: 1),
            ASExtensionError(.userCanceled, userInfo: ["a": 1]),
        ]
        for error in errors {
            do {
                throw error
            } catch ASExtensionError.userInteractionRequired {
                Issue.record("another code")
            } catch ASCredentialIdentityStoreError.storeDisabled {
                Issue.record("another domain")
            } catch ASExtensionError.userCanceled {
                continue
            } catch {
                Issue.record("no match")
            }
        }
    }

    @Test
    func errorsAreWhatAppleSaysTheyAre() {
        let error = ASExtensionError(.credentialIdentityNotFound, userInfo: ["a": "b"])
        #expect(error.code == .credentialIdentityNotFound)
        #expect(error.errorCode == 101)
        #expect(error.userInfo["a"] as? String == "b")
        #expect(error.errorUserInfo["a"] as? String == "b")
        #expect(ASExtensionError.errorDomain == ASExtensionErrorDomain)
        #expect((error as any Error as NSError).domain == ASExtensionErrorDomain)
        #expect((error as any Error as NSError).code == 101)
        #expect(error == ASExtensionError(.credentialIdentityNotFound, userInfo: ["a": "b"]))
        #expect(error != ASExtensionError(.failed))
        #expect(ASExtensionError.userInteractionRequired.rawValue == 100)
        #expect(ASExtensionError.Code(rawValue: 5) == nil)
        #expect(ASCredentialIdentityStoreError.storeBusy.rawValue == 2)
        #expect(ASCredentialIdentityStoreError(.storeDisabled).errorCode == 1)
        #expect(ASCredentialServiceIdentifier.IdentifierType.URL.rawValue == 1)
        #expect(ASCredentialRequestType.oneTimeCode.rawValue == 3)
    }

    @Test
    func credentialsPrintAsNothing() {
        let credential = ASPasswordCredential(user: "rmondello", password: "hunter2")
        var dumped = ""
        dump(credential, to: &dumped)
        let texts = [
            "\(credential)", String(reflecting: credential), credential.debugDescription, dumped, "\([credential])",
            "\(SecretText("hunter2"))", String(reflecting: SecretText("hunter2")),
            "\(NewCredentialItem(services: [], user: "", password: SecretText("hunter2")))",
        ]
        for text in texts { #expect(!text.contains("hunter2")) }
    }

    @Test
    func identitiesCopyAndArchive() throws {
        let identity = ASPasswordCredentialIdentity(
            serviceIdentifier: .init(identifier: "https://a.example", type: .URL, displayName: "A"),
            user: "ü",
            recordIdentifier: nil
        )
        identity.rank = 7
        let copy = try #require(identity.copy() as? ASPasswordCredentialIdentity)
        copy.rank = 8
        #expect(identity.rank == 7)
        let archive = try NSKeyedArchiver.archivedData(withRootObject: identity, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: ASPasswordCredentialIdentity.self, from: archive)
        )
        #expect(read.user == "ü")
        #expect(read.rank == 7)
        #expect(read.recordIdentifier == nil)
        #expect(read.serviceIdentifier.type == .URL)
        #expect(read.serviceIdentifier.identifier == "https://a.example")
    }

    @Test(
        arguments: [
            ("a.example", 0, "a.example"), ("https://a.example:1/x", 1, "a.example"), ("no url", 1, "no url"),
            ("org.example.App", 2, nil),
        ] as [(String, Int, String?)]
    )
    func servicesHaveANameForPeople(identifier: String, type: Int, name: String?) throws {
        let type = try #require(ASCredentialServiceIdentifier.IdentifierType(rawValue: type))
        #expect(ASCredentialServiceIdentifier(identifier: identifier, type: type).displayName == name)
    }

    @MainActor
    @Test
    func aContextWithoutARequestHasExpired() async {
        let expired = Arrival<Bool>()
        let controller = ASCredentialProviderViewController()
        controller.extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: "", password: "")
        ) { expired.arrive($0) }
        #expect(await expired.next() == true)
        controller.extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        controller.extensionContext.completeExtensionConfigurationRequest()
        #expect(await controller.extensionContext.open(URL(fileURLWithPath: "/")) == false)
        #expect(controller.extensionContext.inputItems.isEmpty)
    }

    @MainActor
    @Test
    func viewsAndControllersDoNotGoRoundInCircles() {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        inner.addSubview(outer)
        inner.addSubview(inner)
        #expect(inner.subviews.isEmpty)
        let (first, second) = (UIViewController(), UIViewController())
        first.present(second, animated: false)
        second.present(first, animated: false)
        second.present(second, animated: false)
        #expect(second.presentedViewController == nil)
        #expect(first.topmost === second)
        second.dismiss(animated: false)
        #expect(first.presentedViewController == nil)
    }

    /// RFC 4648, section 10.
    @Test(
        arguments: [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"), ("+/+/", nil as String?),
        ] as [(String, String?)]
    )
    func base64Decodes(text: String, bytes: String?) {
        let decoded = Base64.decode(SecretBytes(utf8: text))
        if let bytes {
            #expect(decoded == SecretBytes(utf8: bytes))
        } else {
            #expect(decoded?.count == 3)
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Zg==Zg==", "Z===", "Zm9v\n", "Zm-_", "Z\u{0}==", "Zg=A", "ü==",
    ])
    func base64RefusesWhatIsNotCanonical(text: String) {
        #expect(Base64.decode(SecretBytes(utf8: text)) == nil)
    }
}
