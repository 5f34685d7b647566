// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import SecurityCodes
internal import ShownText

/// Where a code came from.
enum CodeOrigin: String, Sendable, CaseIterable {
    case modem
    case kdeConnect = "kdeconnect"
    case gsConnect = "gsconnect"
    case maildir
    case command

    /// The name of the source, for display.
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
    /// An identifier for handles, which tells nothing about the code.
    let id: String
    /// The code, in locked memory and readable by the gate alone.
    let secret: HeldSecret
    let origin: CodeOrigin
    /// The host that the message binds it to, as the message writes it.
    let boundTo: String?
    /// The host of frames that the message binds it to.
    let embedded: String?
    let received: ContinuousClock.Instant

    /// Reads a message. Its bytes are neither kept nor copied into memory that outlives the call.
    ///
    /// - Returns: The code, and the reason; the code is `nil` for a message without one.
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

    /// The host that the message binds it to, as it is shown: whoever can send a message writes it.
    var shownHost: String? { boundTo.map { DisplayText($0).text } }

    /// The host of frames that the message binds it to, as it is shown.
    var shownEmbedded: String? { embedded.map { DisplayText($0).text } }

    /// The binding without the code, for the policy on bound codes.
    var binding: SecurityCode { SecurityCode(text: "", boundTo: boundTo, embedded: embedded) }

    /// The identity that stands for the code in handles, questions and the audit log.
    var identity: CredentialIdentity {
        CredentialIdentity(
            type: .oneTimeCode, service: ServiceIdentifier(kind: .domain, value: boundTo ?? "no site"),
            user: origin.words, recordIdentifier: id)
    }

    /// An identity shared by all codes with the same binding, so that a consent to one of them holds for the next.
    var kind: CredentialIdentity {
        CredentialIdentity(type: .oneTimeCode, service: identity.service, user: "", recordIdentifier: nil)
    }
}
