// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation
internal import PropertyLists

/// A user-info dictionary on its way between an app and its extension: base64 of a property list, in locked memory, because
/// apps put tokens there.
struct UserInfoList: Sendable {
    /// As many bytes of property list may travel.
    static let limit = 65_536
    private static let depthLimit = 16

    let bytes: SecretBytes

    /// Nothing for what is not a property list, or too large.
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
        guard let list = Data(base64Encoded: text),
            let members = try? PropertyListMembers(reading: Array(list), within: bounds).members
        else { return nil }
        return Dictionary(uniqueKeysWithValues: members.map { (AnyHashable($0.key), plain($0.value)) })
    }

    /// The bytes are an app's, or an extension's: Foundation's reader would follow them as deep as they go.
    private static let bounds = PropertyListBounds(size: limit, depth: depthLimit, count: 10_000)

    /// As Foundation's reader hands it out. It is never deeper than the bounds.
    private static func plain(_ value: PropertyList) -> Any {
        switch value {
        case .dictionary(let members): members.mapValues(plain)
        case .array(let values): values.map(plain)
        case .string(let text): text
        case .integer(let number): Int(number)
        case .real(let number): number
        case .boolean(let flag): flag
        case .data(let bytes): Data(bytes)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        }
    }

    private static func isList(_ value: Any, depth: Int) -> Bool {
        guard depth < depthLimit else { return false }
        switch value {
        case is String, is Bool, is Int, is Double, is Data, is Date: return true
        case let values as [Any]: return values.allSatisfy { isList($0, depth: depth + 1) }
        case let values as [String: Any]: return values.values.allSatisfy { isList($0, depth: depth + 1) }
        case is NSNumber: return true
        default: return false
        }
    }
}
