// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import SecurityCodes

/// Where a code came from.
enum CodeOrigin: String, Sendable, CaseIterable {
    case modem
    case kdeConnect = "kdeconnect"
    case gsConnect = "gsconnect"
    case maildir
    case command

    /// For people.
    var words: String {
        switch self {
        case .modem: "a text message (ModemManager)"
        case .kdeConnect: "your phone (KDE Connect)"
        case .gsConnect: "your phone (GSConnect)"
        case .maildir: "a mail"
        case .command: "latchkey code offer"
        }
    }
}

/// A code that came in a message. The message is gone by then.
struct ReceivedCode: Sendable {
    /// Names it in handles, and tells nothing about it.
    let id: String
    /// In locked memory, and seen by the gate alone.
    let secret: HeldSecret
    let origin: CodeOrigin
    /// The host that the message binds it to, as the message writes it.
    let boundTo: String?
    /// The host of frames that the message binds it to.
    let embedded: String?
    let received: ContinuousClock.Instant

    /// Reads a message, whose bytes are neither kept nor copied to where they could stay.
    ///
    /// - Returns: nothing for a message without a code, with the reason.
    static func read(
        _ message: SecretBytes, from origin: CodeOrigin, at now: ContinuousClock.Instant
    ) -> (code: ReceivedCode?, reason: CodeReason) {
        let reading = message.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { SecurityCodeReading(utf8: $0) }
        }
        let code = reading.code.map { code in
            ReceivedCode(
                id: RandomName.make(), secret: HeldSecret(WireSecret(SecretBytes(utf8: code.text))),
                origin: origin, boundTo: code.boundTo, embedded: code.embedded, received: now)
        }
        return (code, reading.reason)
    }

    /// The code of a mail that another process has read.
    init(_ mail: MailCode, from origin: CodeOrigin, at now: ContinuousClock.Instant) {
        self.init(
            id: RandomName.make(), secret: HeldSecret(WireSecret(mail.secret)), origin: origin,
            boundTo: mail.boundTo, embedded: mail.embedded, received: now)
    }

    init(
        id: String, secret: HeldSecret, origin: CodeOrigin, boundTo: String?, embedded: String?,
        received: ContinuousClock.Instant
    ) {
        self.id = id
        self.secret = secret
        self.origin = origin
        self.boundTo = boundTo
        self.embedded = embedded
        self.received = received
    }

    /// What the policy about bound codes needs to know: everything but the code.
    var binding: SecurityCode { SecurityCode(text: "", boundTo: boundTo, embedded: embedded) }

    /// What the handles, the questions and the audit log say of it.
    var identity: CredentialIdentity {
        CredentialIdentity(
            type: .oneTimeCode, service: ServiceIdentifier(kind: .domain, value: boundTo ?? "no site"),
            user: origin.words, recordIdentifier: id)
    }

    /// The same for every code of its kind: what was agreed to for one holds for the next.
    var kind: CredentialIdentity {
        CredentialIdentity(type: .oneTimeCode, service: identity.service, user: "", recordIdentifier: nil)
    }
}
