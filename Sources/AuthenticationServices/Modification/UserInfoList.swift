// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation

/// A user-info dictionary on its way between an app and its extension: base64 of a property list, in locked memory, because
/// apps put tokens there.
struct UserInfoList: Sendable {
    /// As many bytes of property list may travel.
    static let limit = 65_536

    let bytes: SecretBytes

    /// Nothing for what is no property list, or too large.
    init?(_ userInfo: [AnyHashable: Any]) {
        var texts: [String: Any] = [:]
        for (key, value) in userInfo {
            guard let key = key.base as? String else { return nil }
            texts[key] = value
        }
        // Foundation ends the process over some values that are none of property lists.
        guard Self.isList(texts, depth: 0),
            let list = try? PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0),
            list.count <= Self.limit
        else { return nil }
        bytes = SecretBytes(utf8: list.base64EncodedString())
    }

    /// What arrived; nothing for what is none.
    static func userInfo(_ bytes: SecretBytes) -> [AnyHashable: Any]? {
        let text = bytes.withUnsafeBytes { Data($0) }
        guard let list = Data(base64Encoded: text), list.count <= limit,
            let read = try? PropertyListSerialization.propertyList(from: list, options: [], format: nil),
            let texts = read as? [String: Any]
        else { return nil }
        return Dictionary(uniqueKeysWithValues: texts.map { (AnyHashable($0.key), $0.value) })
    }

    private static func isList(_ value: Any, depth: Int) -> Bool {
        guard depth < 16 else { return false }
        switch value {
        case is String, is Bool, is Int, is Double, is Data, is Date: return true
        case let values as [Any]: return values.allSatisfy { isList($0, depth: depth + 1) }
        case let values as [String: Any]: return values.values.allSatisfy { isList($0, depth: depth + 1) }
        case is NSNumber: return true
        default: return false
        }
    }
}
