// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

struct TeamAccount: Hashable, Sendable {
    var id: String
    var host: String
    var user: String
    var password: String
}

final class TeamDirectory {
    enum Failure: Error {
        case locked
    }

    private var accounts: [TeamAccount]?
    private let work = DispatchQueue(label: "directory")

    func load(completion: @escaping (Result<[TeamAccount], Error>) -> Void) {
        work.async {
            let result: Result<[TeamAccount], Error> = self.accounts.map { .success($0) } ?? .failure(Failure.locked)
            DispatchQueue.main.async { completion(result) }
        }
    }

    func account(id: String?) -> TeamAccount? {
        accounts?.first { $0.id == id }
    }

    func unlock(_ passphrase: String) async {
        accounts = passphrase.isEmpty ? nil : []
    }

    func passwords(by rules: String) -> [ASGeneratedPassword] {
        [
            ASGeneratedPassword(kind: .strong, value: UUID().uuidString),
            ASGeneratedPassword(kind: .passphrase, value: "correct horse"),
        ]
    }
}

/// The app's half.
@MainActor
final class StoreUpdates {
    private var pending: [ASPasswordCredentialIdentity] = []
    private var scheduled: DispatchWorkItem?

    func add(_ account: TeamAccount) {
        let service = ASCredentialServiceIdentifier(identifier: "https://" + account.host, type: .URL)
        pending.append(
            ASPasswordCredentialIdentity(serviceIdentifier: service, user: account.user, recordIdentifier: account.id))
        scheduled?.cancel()
        let item = DispatchWorkItem { [weak self] in self?.flush() }
        scheduled = item
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: item)
    }

    func openSettings() {
        if #available(iOS 17.0, *) {
            ASSettingsHelper.openCredentialProviderAppSettings { error in
                if let error = error { print(error.localizedDescription) }
            }
        }
    }

    private func flush() {
        let identities = pending
        pending = []
        Task {
            do {
                try await ASCredentialIdentityStore.shared.saveCredentialIdentities(identities)
            } catch {
                pending = identities + pending
            }
        }
    }
}
