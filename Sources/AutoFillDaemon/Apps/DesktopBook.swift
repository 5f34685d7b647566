// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis

/// The forms of native programs that have, or had, the focus, and the rows that were offered for them.
struct DesktopBook {
    /// A form in a window of a program.
    struct Form: Sendable {
        let connection: Int
        let process: PeerProcess
        let program: VerifiedProgram
        /// The app that the program is, if it is one whose domains count.
        let app: VerifiedApp?
        let fields: [Desktop.Field]
        /// The host that the form names as its server, by its own word.
        let server: String?
        let began: ContinuousClock.Instant

        /// Whether the fields are for a new password.
        var wantsNewPassword: Bool { fields.contains { $0.role == FieldRole.newPassword.rawValue } }
        /// Whether the fields are for a code.
        var wantsCode: Bool { fields.contains { $0.role == FieldRole.oneTimeCode.rawValue } }
        /// How a code is spread over the fields.
        var codeSpread: CodeSpread { CodeSpread(fields.map { FieldRoleAnswer(ref: $0.ref, role: $0.role) }) }
    }

    /// An account that is offered, and why it may go to the program.
    struct Offer: Sendable {
        let identity: CredentialIdentity
        let provider: BundleIdentifier
        let ground: Ground
    }

    /// Why an account may go to a program; looked up again before the release.
    enum Ground: Hashable, Sendable {
        case association
        case binding
        /// Chosen in the list of everything that is saved.
        case choice
        /// A password that is made when it is chosen.
        case new
        /// A code that came in a message.
        case message
    }

    /// How long a form stays known. What is chosen later has to get the focus once more.
    private static let lifetime = Duration.seconds(600)
    /// Maximum number of forms of one connection.
    private static let limit = 16

    private var forms: [String: Form] = [:]
    private var offers: [String: (form: String, offer: Offer)] = [:]

    mutating func add(_ form: Form) -> String {
        let own = forms.filter { $0.value.connection == form.connection }
        if own.count >= Self.limit, let oldest = own.min(by: { $0.value.began < $1.value.began }) { end(oldest.key) }
        let name = RandomName.make()
        forms[name] = form
        return name
    }

    /// The form of a name, as long as it is known to this connection.
    ///
    /// - Parameter isLeft: Whether its program may have ended, because nothing is to be filled into it.
    mutating func form(
        _ name: String, of connection: Int, at now: ContinuousClock.Instant, isLeft: Bool = false
    ) -> Form? {
        guard let form = forms[name], form.connection == connection else { return nil }
        guard form.began + Self.lifetime > now, isLeft || form.process.isAlive else {
            end(name)
            return nil
        }
        return form
    }

    /// Whether any form asks for a code.
    var wantsCodes: Bool { forms.values.contains(where: \.wantsCode) }

    /// Makes a handle for one use, until the form ends or its rows are looked up again.
    mutating func offer(_ offer: Offer, in form: String) -> String {
        let handle = RandomName.make()
        offers[handle] = (form, offer)
        return handle
    }

    /// Forgets the rows that were offered for a form before.
    mutating func forgetOffers(of form: String) {
        offers = offers.filter { $0.value.form != form }
    }

    /// What a handle stands for. It is good for one use.
    mutating func take(_ handle: String, of connection: Int, at now: ContinuousClock.Instant) -> (Form, String, Offer)?
    {
        guard let (name, offer) = offers.removeValue(forKey: handle),
            let form = form(name, of: connection, at: now)
        else { return nil }
        return (form, name, offer)
    }

    mutating func end(_ name: String) {
        forms[name] = nil
        forgetOffers(of: name)
    }

    mutating func end(of connection: Int) {
        for (name, form) in forms where form.connection == connection { end(name) }
    }

    mutating func endAll() {
        forms = [:]
        offers = [:]
    }
}
