// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation
internal import PassStore

/// The provider's principal object: answers from the password store, and shows what gpg-agent needs the user for.
///
/// In its interface nothing is filled without a press: the system does not ask again after an interface of a provider.
final class PassViewController: ASCredentialProviderViewController {
    let entries: EntryRoute
    private var work: Task<Void, Never>?

    init(entries: EntryRoute) {
        self.entries = entries
        super.init(nibName: nil, bundle: nil)
        title = "pass"
    }

    required init?(coder: NSCoder) {
        nil
    }

    /// Whatever runs for a request ends with it: cancelling the task ends gpg.
    override func viewDidDisappear(_ animated: Bool) {
        work?.cancel()
    }

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard let claim = credentialRequest.claim else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        work = Task {
            switch await entries.answer(quietly: claim) {
            case .credential(let user, let password): complete(user, password)
            case .code(let code): complete(code)
            // The interface says what is wrong, and what can be done about it.
            case .interactionRequired, .failure: cancel(.userInteractionRequired)
            case .notFound: cancel(.credentialIdentityNotFound)
            }
        }
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        guard let claim = credentialRequest.claim, let name = EntryName(claim.record) else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        ask(for: name, claim)
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        showList(for: serviceIdentifiers, areCodes: false)
    }

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        showList(for: serviceIdentifiers, areCodes: true)
    }

    override func prepareInterfaceForExtensionConfiguration() {
        let configuration = ConfigurationView(entries: entries) { [weak self] in
            self?.extensionContext.completeExtensionConfigurationRequest()
        }
        show([configuration])
        configuration.load()
    }

    // MARK: One entry

    private func ask(for name: EntryName, _ claim: EntryKnowledge.Claim) {
        show([
            MessageView(claim.service, style: .heading),
            MessageView("The entry \(name.text) is decrypted by gpg. If its key is locked, gpg-agent asks you for it."),
            ButtonView("Decrypt and Fill", style: .default) { [weak self] in self?.decrypt(name, claim, claim.isCode) },
        ])
    }

    private func decrypt(_ name: EntryName, _ claim: EntryKnowledge.Claim?, _ isCode: Bool) {
        show([
            MessageView(name.text, style: .heading),
            ProgressView("Waiting for gpg. If a window of gpg-agent is open, it is yours to answer."),
        ])
        work?.cancel()
        work = Task {
            let answer = await entries.answer(asking: name, for: claim, isCode: isCode)
            guard !Task.isCancelled else { return }
            switch answer {
            case .credential(let user, let password):
                if let claim, claim.user != user {
                    return confirm(user, password, name)
                }
                complete(user, password)
            case .code(let code): complete(code)
            case .interactionRequired: explain("The key is locked.", nil, name, claim, isCode)
            case .notFound: explain("This entry no longer exists.", nil, name, claim, isCode)
            case .failure(let sentence, let hint): explain(sentence, hint, name, claim, isCode)
            }
        }
    }

    /// The account is another one than was suggested: it is filled only when the user has read whose it is.
    private func confirm(_ user: String, _ password: SecretText, _ name: EntryName) {
        let whose = user.isEmpty ? "The entry names no user; only the password is filled." : "The entry is of \(user)."
        show([
            MessageView(name.text, style: .heading),
            MessageView(whose),
            ButtonView(user.isEmpty ? "Fill the Password" : "Fill \(user)", style: .default) { [weak self] in
                self?.complete(user, password)
            },
        ])
    }

    private func explain(
        _ sentence: String, _ hint: String?, _ name: EntryName, _ claim: EntryKnowledge.Claim?, _ isCode: Bool
    ) {
        show([
            MessageView(name.text, style: .heading),
            MessageView(sentence, style: .error),
            MessageView(hint ?? ""),
            ButtonView("Try Again", style: .default) { [weak self] in self?.decrypt(name, claim, isCode) },
        ])
    }

    // MARK: The list

    private func showList(for services: [ASCredentialServiceIdentifier], areCodes: Bool) {
        let list = ListView()
        list.onSelect = { [weak self] row in
            guard let name = EntryName(row.identifier) else { return }
            self?.decrypt(name, nil, areCodes)
        }
        show([list])
        let order = SuggestedEntries(services: services)
        Task {
            do throws(PassStoreError) {
                let (listing, knowledge) = try await entries.listing()
                list.sections = order.sections(of: listing.entries.map(\.name), knowledge, areCodes: areCodes)
            } catch {
                show([MessageView(error.reason, style: .error), MessageView(error.hint ?? "")])
            }
        }
    }

    // MARK: Ends

    private func show(_ views: [UIView]) {
        let page = UIView()
        for view in views { page.addSubview(view) }
        view = page
    }

    private func complete(_ user: String, _ password: SecretText) {
        // Apple's API takes a String, which cannot be wiped; the process ends when Latchkey locks.
        let credential = ASPasswordCredential(user: user, password: password.unsafeString())
        extensionContext.completeRequest(withSelectedCredential: credential)
    }

    private func complete(_ code: String) {
        extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: code))
    }

    private func cancel(_ code: ASExtensionError.Code) {
        extensionContext.cancelRequest(withError: ASExtensionError(code))
    }
}

extension ASCredentialRequest {
    /// What is asked for; nothing for what this provider has not got.
    fileprivate var claim: EntryKnowledge.Claim? {
        guard type == .password || type == .oneTimeCode, let record = credentialIdentity.recordIdentifier else {
            return nil
        }
        let service = credentialIdentity.serviceIdentifier
        let claim = EntryKnowledge.Claim(
            record: record, service: service.identifier, user: credentialIdentity.user, isCode: type == .oneTimeCode
        )
        return claim.isURL == (service.type == .URL) && service.type != .app ? claim : nil
    }
}
