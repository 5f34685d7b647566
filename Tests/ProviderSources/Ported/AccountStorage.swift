// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

struct Account: Equatable {
    let host: String
    let user: String
    let password: String

    var identifier: String {
        return host + "/" + user
    }
}

class AccountStorage {
    private(set) var isLocked = true
    private var accounts = [Account]()

    func unlock(passcode: String) -> Bool {
        isLocked = passcode != "2468"
        return !isLocked
    }

    func add(_ account: Account) -> Bool {
        accounts.append(account)
        return true
    }

    func all(for hosts: [String]) -> [Account] {
        return accounts.sorted { hosts.contains($0.host) && !hosts.contains($1.host) }
    }

    func account(withIdentifier identifier: String?) -> Account? {
        return accounts.first { $0.identifier == identifier }
    }
}
