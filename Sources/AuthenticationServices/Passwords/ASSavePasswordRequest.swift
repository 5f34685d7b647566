// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request to save a password.
///
/// Sendable unchecked: nothing in it changes.
open class ASSavePasswordRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Why a password is to be saved; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum Event: Int, Sendable {
        /// The user asked for it: save it, be it new or changed.
        case userInitiated = 0
        /// The form has gone: save a new password, and ask before replacing one.
        case formDidDisappear = 1
        /// A generated password was filled: keep it as pending, and do not ask.
        case generatedPasswordFilled = 2
    }

    /// What the password is for.
    open private(set) var serviceIdentifier: ASCredentialServiceIdentifier
    /// The user and the password.
    open private(set) var credential: ASPasswordCredential
    /// A name of the service for people.
    open private(set) var title: String?
    /// The same for all requests that one form brings about.
    open private(set) var sessionID: String
    /// Why the password is to be saved.
    open private(set) var event: Event
    /// What a generated password is made of; none for one that the user wrote.
    open private(set) var passwordKind: ASGeneratedPassword.Kind?

    /// A request with all its members.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier,
        credential: ASPasswordCredential,
        title: String?,
        sessionID: String,
        event: ASSavePasswordRequest.Event,
        passwordKind: ASGeneratedPassword.Kind?
    ) {
        self.serviceIdentifier = serviceIdentifier
        self.credential = credential
        self.title = title
        self.sessionID = sessionID
        self.event = event
        self.passwordKind = passwordKind
        super.init()
    }

    /// A request without a title, for a password that was not generated.
    public convenience init(
        serviceIdentifier: ASCredentialServiceIdentifier,
        credential: ASPasswordCredential,
        sessionID: String,
        event: ASSavePasswordRequest.Event
    ) {
        self.init(
            serviceIdentifier: serviceIdentifier,
            credential: credential,
            title: nil,
            sessionID: sessionID,
            event: event,
            passwordKind: nil
        )
    }

    /// A request for a password that was not generated.
    public convenience init(
        serviceIdentifier: ASCredentialServiceIdentifier,
        credential: ASPasswordCredential,
        title: String?,
        sessionID: String,
        event: ASSavePasswordRequest.Event
    ) {
        self.init(
            serviceIdentifier: serviceIdentifier,
            credential: credential,
            title: title,
            sessionID: sessionID,
            event: event,
            passwordKind: nil
        )
    }

    /// A request without a title.
    public convenience init(
        serviceIdentifier: ASCredentialServiceIdentifier,
        credential: ASPasswordCredential,
        sessionID: String,
        event: ASSavePasswordRequest.Event,
        passwordKind: ASGeneratedPassword.Kind?
    ) {
        self.init(
            serviceIdentifier: serviceIdentifier,
            credential: credential,
            title: nil,
            sessionID: sessionID,
            event: event,
            passwordKind: passwordKind
        )
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let service = coder.member(ASCredentialServiceIdentifier.self, "serviceIdentifier"),
            let credential = coder.member(ASPasswordCredential.self, "credential"),
            let sessionID = coder.text("sessionID"), let event = coder.integer("event").flatMap(Event.init)
        else { return nil }
        serviceIdentifier = service
        self.credential = credential
        title = coder.text("title")
        self.sessionID = sessionID
        self.event = event
        passwordKind = coder.text("passwordKind").map { ASGeneratedPassword.Kind($0) }
        super.init()
    }

    /// Writes every member, readable. Who archives a request has to seal the archive.
    open func encode(with coder: NSCoder) {
        coder.encode(serviceIdentifier, forKey: "serviceIdentifier")
        coder.encode(credential, forKey: "credential")
        coder.write(title, "title")
        coder.write(sessionID, "sessionID")
        coder.encode(event.rawValue, forKey: "event")
        coder.write(passwordKind?.rawValue, "passwordKind")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
