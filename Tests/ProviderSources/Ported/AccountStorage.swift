// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

struct Account: Equatable {
    let host: String
    let user: String
    let password: String

    var identifier: String {
        return host + "/" + user
    }
}

/// Accounts are internet passwords in the keychain, as many small managers have them.
class AccountStorage {
    static let appGroup = "group.com.example.ported"

    private(set) var isLocked = true

    /// The app's settings, which it leaves in the group.
    private var settingsURL: URL? {
        return FileManager.default
            .containerURL(forSecurityApplicationGroupIdentifier: AccountStorage.appGroup)?
            .appendingPathComponent("settings.json")
    }

    func unlock(passcode: String) -> Bool {
        isLocked = passcode != "2468"
        return !isLocked
    }

    func add(_ account: Account) -> Bool {
        let place: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: account.host,
            kSecAttrAccount as String: account.user,
        ]
        var attributes = place
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        attributes[kSecValueData as String] = account.password.data(using: .utf8)
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecDuplicateItem else { return status == errSecSuccess }
        let update: [String: Any] = [kSecValueData as String: Data(account.password.utf8)]
        return SecItemUpdate(place as CFDictionary, update as CFDictionary) == errSecSuccess
    }

    func all(for hosts: [String]) -> [Account] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: kCFBooleanTrue!,
            kSecReturnData as String: true,
        ]
        var result: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
            let items = result as? [[String: Any]]
        else { return [] }
        let accounts = items.compactMap { item -> Account? in
            guard let host = item[kSecAttrServer as String] as? String,
                let user = item[kSecAttrAccount as String] as? String,
                let data = item[kSecValueData as String] as? Data,
                let password = String(data: data, encoding: .utf8)
            else { return nil }
            return Account(host: host, user: user, password: password)
        }
        return accounts.sorted { hosts.contains($0.host) && !hosts.contains($1.host) }
    }

    func account(withIdentifier identifier: String?) -> Account? {
        return all(for: []).first { $0.identifier == identifier }
    }

    func removeAll() {
        SecItemDelete([kSecClass as String: kSecClassInternetPassword] as CFDictionary)
        if let settingsURL = settingsURL {
            try? FileManager.default.removeItem(at: settingsURL)
        }
    }
}
