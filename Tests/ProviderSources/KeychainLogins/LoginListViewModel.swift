// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

struct LoginItem: Codable, Hashable {
    let host: String
    let username: String
    let password: String

    var account: String { username + "@" + host }
}

/// A view model as it is without Combine: closures that a controller sets.
final class LoginListViewModel {
    var onChange: (() -> Void)?
    var onError: ((String) -> Void)?

    private(set) var items: [LoginItem] = [] {
        didSet { onChange?() }
    }

    private let keychain: Keychain

    init(keychain: Keychain = Keychain(service: "logins", accessGroup: "group.com.example.logins")) {
        self.keychain = keychain
    }

    func load(matching hosts: [String]) {
        do {
            items = try keychain.accounts().compactMap { account, _, _ in
                try keychain.data(account: account).flatMap { try? JSONDecoder().decode(LoginItem.self, from: $0) }
            }.sorted { hosts.contains($0.host) && !hosts.contains($1.host) }
        } catch {
            onError?(error.localizedDescription)
        }
    }

    func item(account: String?) -> LoginItem? {
        guard let account = account, let data = try? keychain.data(account: account) else { return nil }
        return try? JSONDecoder().decode(LoginItem.self, from: data)
    }

    func save(_ item: LoginItem) throws {
        try keychain.set(JSONEncoder().encode(item), account: item.account, label: item.host)
        items.append(item)
    }
}
