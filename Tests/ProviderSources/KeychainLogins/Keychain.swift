// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A keychain service, as such wrappers are written.
struct Keychain {
    enum Failure: Error, LocalizedError {
        case unexpectedData
        case unhandled(OSStatus)

        var errorDescription: String? {
            switch self {
            case .unexpectedData: return "The item is not what was expected."
            case .unhandled(let status): return SecCopyErrorMessageString(status, nil) as String?
            }
        }
    }

    let service: String
    var accessGroup: String?
    var accessible: CFString = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly

    private func query(account: String? = nil) -> [String: AnyObject] {
        var query = [String: AnyObject]()
        query[kSecClass as String] = kSecClassGenericPassword as AnyObject
        query[kSecAttrService as String] = service as AnyObject
        if let account = account {
            query[kSecAttrAccount as String] = account as AnyObject
        }
        if let accessGroup = accessGroup {
            query[kSecAttrAccessGroup as String] = accessGroup as AnyObject
        }
        return query
    }

    func data(account: String) throws -> Data? {
        var query = self.query(account: account)
        query[kSecMatchLimit as String] = kSecMatchLimitOne as AnyObject
        query[kSecReturnData as String] = kCFBooleanTrue as AnyObject
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        switch status {
        case errSecSuccess:
            guard let data = item as? Data else { throw Failure.unexpectedData }
            return data
        case errSecItemNotFound:
            return nil
        default:
            throw Failure.unhandled(status)
        }
    }

    func set(_ data: Data, account: String, label: String? = nil) throws {
        var attributes: [String: AnyObject] = [kSecValueData as String: data as AnyObject]
        if let label = label { attributes[kSecAttrLabel as String] = label as AnyObject }
        var status = SecItemUpdate(query(account: account) as CFDictionary, attributes as CFDictionary)
        if status == errSecItemNotFound {
            attributes.merge(query(account: account)) { first, _ in first }
            attributes[kSecAttrAccessible as String] = accessible as AnyObject
            status = SecItemAdd(attributes as CFDictionary, nil)
        }
        guard status == noErr else { throw Failure.unhandled(status) }
    }

    func remove(account: String) throws {
        let status = SecItemDelete(query(account: account) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure.unhandled(status) }
    }

    func accounts() throws -> [(account: String, label: String?, modified: Date?)] {
        var query = self.query()
        query[kSecMatchLimit as String] = kSecMatchLimitAll as AnyObject
        query[kSecReturnAttributes as String] = true as AnyObject
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        guard status != errSecItemNotFound else { return [] }
        guard status == errSecSuccess, let items = result as? [[String: Any]] else { throw Failure.unhandled(status) }
        return items.compactMap { item in
            guard let account = item[kSecAttrAccount as String] as? String else { return nil }
            return (
                account, item[kSecAttrLabel as String] as? String, item[kSecAttrModificationDate as String] as? Date
            )
        }
    }

    static func randomKey(count: Int = 32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess else { return nil }
        return Data(bytes)
    }
}
