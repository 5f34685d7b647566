// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillSecrets
internal import Logging

/// Signs the user in with Apple for an extension that converts an account (`docs/sign-in-with-apple.md`).
extension AppleConversions {
    /// The error that an extension gets for every failure except the user's refusal.
    private static let nothing = WireError(.providerExtension(0), "There is no credential.")
    private static let canceled = WireError(.providerExtension(1), "The user said no.")

    /// The reason why an extension gets no credential. It goes to the journal and never to the extension.
    private struct SignInRefusal: Error {
        let reason: String
    }

    /// Opens a window on the identity provider's page, takes what is posted to the return URL, and has it verified.
    ///
    /// - Throws: the extension error `userCanceled` when the user refused, and `failed` for every other failure.
    func signInWithApple(
        _ params: Modification.Authorize.Params, for job: UpgradeJob
    ) async throws -> Modification.Authorize.Answer {
        let unlocked = broker.session
        do {
            let answer = try await appleCredential(params, for: job)
            // Check again: Latchkey may have been locked or the request ended while this took time.
            guard unlocked?.isCurrent == true, !Task.isCancelled else {
                throw SignInRefusal(reason: "Latchkey was locked, or the request has ended")
            }
            return answer
        } catch {
            let isCanceled = (error as? WireError)?.code == .userCanceled
            let reason = (error as? SignInRefusal)?.reason ?? WireError(saying: error).message
            broker.logger.notice(
                "an extension got no credential of Sign in with Apple",
                metadata: ["extension": "\(job.target.identifier)", "reason": "\(reason)"])
            throw isCanceled ? Self.canceled : Self.nothing
        }
    }

    private func appleCredential(
        _ params: Modification.Authorize.Params, for job: UpgradeJob
    ) async throws -> Modification.Authorize.Answer {
        guard let client = job.target.apple else { throw SignInRefusal(reason: "it does not say how Apple knows it") }
        guard let signIn = AppleSignIn(for: client, state: params.state, nonce: params.nonce) else {
            throw SignInRefusal(reason: "its state or nonce is empty, too long or no text")
        }
        // Looked at again: the site may have taken it back since the offer.
        guard await appAssociations.association(of: job.target.app, with: client.host) != nil else {
            throw SignInRefusal(reason: "\(client.host) has not confirmed the app")
        }
        guard let browser = browser(for: job.renderer) else {
            throw SignInRefusal(reason: "there is no browser to sign in with")
        }
        guard let session = broker.session else { throw SignInRefusal(reason: "Latchkey is locked") }
        // Recorded before the window opens, so that no other request can use this state and nonce, whatever the outcome.
        let marks = signIn.marks(for: job.target.identifier.rawValue)
        guard try session.change({ try $0.registry.use(marks) }) else {
            throw SignInRefusal(reason: "its state or nonce was used before")
        }
        // Without the identity provider's keys no answer can be verified, so do not open a window in vain.
        if let trouble = try await read([:], of: signIn).unreachable { throw SignInRefusal(reason: trouble) }
        job.progress("signing-in")
        let returned = try await SignInWindow.open(
            on: signIn.url, until: client.callback, isPosted: true, isEphemeral: false, over: browser)
        switch signIn.read(returned.fields ?? [:]) {
        case .canceled: throw WireError(.userCanceled, "The user said no on the identity provider's page.")
        case .refused(let reason): throw SignInRefusal(reason: reason)
        case .answer(let fields):
            let told = try await read(fields, of: signIn)
            guard let user = told.user, let code = told.code, let token = told.token else {
                throw SignInRefusal(reason: told.refusal ?? told.unreachable ?? "the answer is empty")
            }
            job.progress("changing")
            return .init(
                user: user, state: signIn.ownState, code: WireSecret(SecretBytes(utf8: code)),
                token: WireSecret(SecretBytes(utf8: token)), email: told.email, givenName: told.givenName,
                familyName: told.familyName)
        }
    }

    /// Reads and verifies the posted fields in a process that has access to nothing else.
    private func read(_ fields: [String: String], of signIn: AppleSignIn) async throws -> SignInCheck.Answer {
        let request = SignInCheck.Request(
            issuer: signIn.client.issuer, client: signIn.client.identifier, nonce: signIn.nonce, fields: fields)
        return try await broker.fetchProcess.run(SignInCheck.job, JSONValue(encoding: request), patience: .seconds(60))
            .decoded()
    }

    /// The browser to open the window in: the one that draws for the request, or else the one that connected last.
    private func browser(for renderer: ClientConnection) -> ClientConnection? {
        if renderer.role == .browser { return renderer.peer == nil ? nil : renderer }
        return broker.clients.values.filter { $0.role == .browser && $0.isGreeted && $0.peer != nil }
            .max { $0.number < $1.number }
    }
}
