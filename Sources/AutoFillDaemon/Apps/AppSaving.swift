// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// A password that an app wants saved, and what the system shows to the user about it.
struct AppSaving: Sendable {
    /// The choice offered to the user.
    enum Offer: Equatable, Sendable {
        /// Save it in one of these providers; the first one is the default.
        case save([ProviderName])
        /// - Parameter isKnown: Whether another password is known to be saved. Otherwise it may be this very one.
        case update(ProviderName, isKnown: Bool)
        /// There is nothing to save; the sentence says why.
        case nothing(String)
    }

    /// The outcome of a user act.
    enum Outcome: Equatable, Sendable {
        case save(BundleIdentifier)
        case update
        /// The user has dismissed the message that there is nothing to save.
        case done
        case no
        case nothing
    }

    private static let passwordLimit = 4_096
    private static let titleLimit = 256

    let origin: Origin
    let user: String
    let password: SecretBytes
    let title: String?

    /// Checks the parameters of the request.
    ///
    /// - Throws: `invalidParams` when one of them is malformed; the app learns no other error.
    init(_ params: Authorization.Save.Params) throws(WireError) {
        guard let origin = Origin(written: params.url), origin.scheme == .https,
            origin == Origin(scheme: .https, host: origin.host)
        else { throw WireError(.invalidParams, "A password is saved for https and its own port.") }
        // Safe without the gate: the password comes from the app and goes to a provider, and the gate never held it.
        let stated = params.password
        let bytes = stated.bytes
        guard (1...Self.passwordLimit).contains(bytes.count) else {
            throw WireError(.invalidParams, "A password has 1 to \(Self.passwordLimit) bytes.")
        }
        self.origin = origin
        user = try SavedName.reading(params.user).get()
        password = bytes
        title = params.title.flatMap { title in
            // The title is optional, so an invalid one is dropped.
            title.utf8.count <= Self.titleLimit && SavedName.isValid(title) && !title.isEmpty ? title : nil
        }
    }

    /// The interface for an offer. It contains no text of the app's except the user name.
    func interface(for app: VerifiedApp, _ offer: Offer) -> InterfaceStatement {
        var elements = [
            InterfaceElement(
                kind: "message", id: "app",
                text: "\(app.identifier.bundle) asks to save a password. It is \(app.program.path.suffix(512))."),
            InterfaceElement(
                kind: "message", id: "account",
                text: user.isEmpty ? "It is for \(origin.host)." : "It is for \(user.prefix(256)) on \(origin.host)."),
        ]
        switch offer {
        case .save(let providers):
            for (index, provider) in providers.prefix(16).enumerated() {
                elements.append(
                    .init(
                        kind: "button", id: "save-\(index)", label: "Save in \(provider.name.text.prefix(64))",
                        style: index == 0 ? "default" : nil, enabled: true))
            }
        case .update(let provider, let isKnown):
            elements.append(
                .init(
                    kind: "message", id: "old",
                    text: isKnown
                        ? "Another password is saved for it. It is replaced, and stays in the history."
                        : "A password is saved for it. If it is another one, it is replaced, and stays in the history."
                ))
            elements.append(
                .init(
                    kind: "button", id: "update", label: "Update in \(provider.name.text.prefix(64))", style: "default",
                    enabled: true))
        case .nothing(let reason):
            elements.append(.init(kind: "message", id: "reason", text: reason))
            elements.append(.init(kind: "button", id: "done", label: "Done", style: "default", enabled: true))
            return InterfaceStatement(title: "Save password?", elements: elements)
        }
        elements.append(.init(kind: "button", id: "refuse", label: "Not now", enabled: true))
        return InterfaceStatement(title: "Save password?", elements: elements)
    }

    /// The outcome of a user act on an offer.
    static func outcome(of act: InterfaceAct, _ offer: Offer) -> Outcome {
        guard act.action == "press" else { return .nothing }
        if act.element == "refuse" { return .no }
        switch offer {
        case .save(let providers):
            guard let index = providers.indices.first(where: { act.element == "save-\($0)" }),
                let provider = BundleIdentifier(providers[index].identifier)
            else { return .nothing }
            return .save(provider)
        case .update: return act.element == "update" ? .update : .nothing
        case .nothing: return act.element == "done" ? .done : .nothing
        }
    }
}
