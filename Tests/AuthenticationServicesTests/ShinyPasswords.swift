// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

// A credential provider as its author wrote it for iOS, following "Implementing AutoFill Credential Provider
// Extensions" (WWDC 2018, session 721). It imports what it imports there. The one part that is not as on iOS is what is
// drawn: UIKit's controls there, `ListView`, `TextField` and the like here.

/// The app's own database.
@MainActor
final class PasswordDatabase {
    struct Record {
        let identifier: String
        let host: String
        let user: String
        let password: String
    }

    static let shared = PasswordDatabase()

    private(set) var records: [Record] = [
        Record(identifier: "1", host: "shiny.example.com", user: "rmondello", password: "correct horse"),
        Record(identifier: "2", host: "dull.example.com", user: "rmondello", password: "battery staple"),
        Record(identifier: "3", host: "shiny.example.com", user: "locked", password: "behind a master password"),
    ]
    private(set) var isUnlocked = false

    func unlock(_ masterPassword: String) -> Bool {
        isUnlocked = masterPassword == "open sesame"
        return isUnlocked
    }

    func lock() {
        isUnlocked = false
    }

    func record(with identifier: String?) -> Record? {
        records.first { $0.identifier == identifier }
    }

    func needsMasterPassword(for record: Record) -> Bool {
        record.user == "locked" && !isUnlocked
    }

    var identities: [ASPasswordCredentialIdentity] {
        records.map { record in
            let service = ASCredentialServiceIdentifier(identifier: record.host, type: .domain)
            let identity = ASPasswordCredentialIdentity(
                serviceIdentifier: service,
                user: record.user,
                recordIdentifier: record.identifier
            )
            identity.rank = record.user == "locked" ? 0 : 1
            return identity
        }
    }
}

class CredentialProviderViewController: ASCredentialProviderViewController {
    private let listController = CredentialListViewController()
    private var serviceIdentifiers: [ASCredentialServiceIdentifier] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        addChild(listController)
        view.addSubview(listController.view)
        listController.didMove(toParent: self)
    }

    // The list that the user brings up from the QuickType bar.
    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        self.serviceIdentifiers = serviceIdentifiers
        listController.show(mostRelevantFirst(PasswordDatabase.shared.records)) { [weak self] record in
            self?.passwordSelected(record)
        }
    }

    // A suggestion was tapped, and nothing of ours is on the screen.
    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        let database = PasswordDatabase.shared
        guard let record = database.record(with: credentialIdentity.recordIdentifier) else {
            self.extensionContext.cancelRequest(
                withError: NSError(
                    domain: ASExtensionErrorDomain,
                    code: ASExtensionError.credentialIdentityNotFound.rawValue
                )
            )
            return
        }
        if database.needsMasterPassword(for: record) {
            self.extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
            return
        }
        passwordSelected(record)
    }

    // The same suggestion again, with our interface on the screen.
    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        let asking = MasterPasswordViewController { [weak self] in
            guard let record = PasswordDatabase.shared.record(with: credentialIdentity.recordIdentifier) else { return }
            self?.passwordSelected(record)
        }
        present(asking, animated: false, completion: nil)
    }

    override func prepareInterfaceForExtensionConfiguration() {
        Task {
            try? await ASCredentialIdentityStore.shared.replaceCredentialIdentities(
                with: PasswordDatabase.shared.identities
            )
            extensionContext.completeExtensionConfigurationRequest()
        }
    }

    func cancel(_ sender: AnyObject?) {
        self.extensionContext.cancelRequest(
            withError: NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userCanceled.rawValue)
        )
    }

    func passwordSelected(_ record: PasswordDatabase.Record) {
        let credential = ASPasswordCredential(user: record.user, password: record.password)
        self.extensionContext.completeRequest(withSelectedCredential: credential, completionHandler: nil)
    }

    private func mostRelevantFirst(_ records: [PasswordDatabase.Record]) -> [PasswordDatabase.Record] {
        let hosts = serviceIdentifiers.map { identifier -> String in
            switch identifier.type {
            case .domain: return identifier.identifier
            case .URL: return URL(string: identifier.identifier)?.host ?? ""
            case .app: return ""
            @unknown default: return ""
            }
        }
        return records.filter { hosts.contains($0.host) } + records.filter { !hosts.contains($0.host) }
    }
}

class CredentialListViewController: UIViewController {
    private let list = ListView()

    override func loadView() {
        view = list
    }

    func show(_ records: [PasswordDatabase.Record], selected: @escaping (PasswordDatabase.Record) -> Void) {
        let rows = records.map { ListView.Row(identifier: $0.identifier, title: $0.user, subtitle: $0.host) }
        list.sections = [ListView.Section(title: "Passwords", rows: rows)]
        list.onSelect = { row in
            guard let record = records.first(where: { $0.identifier == row.identifier }) else { return }
            selected(record)
        }
    }
}

class MasterPasswordViewController: UIViewController {
    private let field = TextField(label: "Master password", isSecure: true)
    private let complaint = MessageView("This is not the master password.", style: .error)
    private let unlocked: () -> Void

    init(unlocked: @escaping () -> Void) {
        self.unlocked = unlocked
        super.init(nibName: nil, bundle: nil)
        title = "Shiny Passwords"
    }

    required init?(coder: NSCoder) {
        unlocked = {}
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        complaint.isHidden = true
        view.addSubview(MessageView("This password is behind your master password."))
        view.addSubview(field)
        view.addSubview(ButtonView("Unlock", style: .default) { [weak self] in self?.unlock() })
        view.addSubview(complaint)
    }

    private func unlock() {
        if PasswordDatabase.shared.unlock(field.text) { return unlocked() }
        field.text = ""
        complaint.isHidden = false
    }
}

/// What the app does when its passwords have changed.
@MainActor
final class CredentialIdentityUpdates {
    private let store: ASCredentialIdentityStore

    init(store: ASCredentialIdentityStore = .shared) {
        self.store = store
    }

    func passwordAdded(_ identity: ASPasswordCredentialIdentity, finished: @escaping ((any Error)?) -> Void) {
        store.getState { state in
            guard state.isEnabled else { return finished(nil) }
            if state.supportsIncrementalUpdates {
                self.store.saveCredentialIdentities([identity]) { success, error in
                    finished(success ? nil : error)
                }
            } else {
                let all = PasswordDatabase.shared.identities
                self.store.replaceCredentialIdentities(with: all) { _, error in finished(error) }
            }
        }
    }

    func signedOut() async throws {
        do {
            try await store.removeAllCredentialIdentities()
        } catch ASCredentialIdentityStoreError.storeDisabled {
            // The user has another provider now.
        }
    }

    static func describe(_ error: any Error) -> String {
        guard let error = error as? ASCredentialIdentityStoreError else { return "unknown" }
        switch error.code {
        case .internalError: return "internal"
        case .storeDisabled: return "disabled"
        case .storeBusy: return "busy"
        @unknown default: return "new"
        }
    }
}

/// The way it is written since iOS 17.
final class RequestProviderViewController: ASCredentialProviderViewController {
    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        switch credentialRequest.type {
        case .password:
            guard let request = credentialRequest as? ASPasswordCredentialRequest,
                let identity = request.credentialIdentity as? ASPasswordCredentialIdentity
            else { return extensionContext.cancelRequest(withError: ASExtensionError(.failed)) }
            let credential = ASPasswordCredential(user: identity.user, password: "since iOS 17")
            extensionContext.completeRequest(withSelectedCredential: credential)
        case .passkeyAssertion, .passkeyRegistration, .oneTimeCode:
            extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        @unknown default:
            extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        }
    }
}
