// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation

/// Why something was not done, as the status that the caller gets.
struct KeychainFailure: Error {
    let status: OSStatus

    init(_ status: OSStatus) {
        self.status = status
    }
}

/// A file of items that is damaged, or was sealed under another key.
struct KeychainDamage: Error {
    let path: String
}

/// The value of an attribute.
enum KeychainValue: Hashable {
    case text(String)
    case bytes(Data)
    case number(Int64)
    case flag(Bool)
    case date(Date)

    /// What the caller gets.
    var plain: Any {
        switch self {
        case .text(let text): text
        case .bytes(let bytes): bytes
        case .number(let number): Int(number)
        case .flag(let flag): flag
        case .date(let date): date
        }
    }
}

/// A class of items: which attributes they have, and which of them tell two items apart.
enum KeychainClass: String {
    case generic = "genp"
    case internet = "inet"

    private static let common: [String: KeychainValue] = [
        kSecAttrAccessible: .text(kSecAttrAccessibleWhenUnlocked), kSecAttrAccessGroup: .text(""),
        kSecAttrSynchronizable: .flag(false), kSecAttrCreationDate: .date(.distantPast),
        kSecAttrModificationDate: .date(.distantPast), kSecAttrDescription: .text(""), kSecAttrComment: .text(""),
        kSecAttrCreator: .number(0), kSecAttrType: .number(0), kSecAttrLabel: .text(""),
        kSecAttrIsInvisible: .flag(false), kSecAttrIsNegative: .flag(false), kSecAttrAccount: .text(""),
    ]

    /// What the attributes of this class look like; of those that tell items apart, what counts where nothing is said.
    var attributes: [String: KeychainValue] {
        let own: [String: KeychainValue] =
            switch self {
            case .generic: [kSecAttrService: .text(""), kSecAttrGeneric: .bytes(Data())]
            case .internet:
                [
                    kSecAttrSecurityDomain: .text(""), kSecAttrServer: .text(""), kSecAttrProtocol: .text(""),
                    kSecAttrAuthenticationType: .text(""), kSecAttrPort: .number(0), kSecAttrPath: .text(""),
                ]
            }
        return Self.common.merging(own) { $1 }
    }

    /// The attributes that tell two items of a group apart.
    var identifying: [String] {
        switch self {
        case .generic: [kSecAttrAccount, kSecAttrService, kSecAttrSynchronizable]
        case .internet:
            [
                kSecAttrAccount, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol, kSecAttrAuthenticationType,
                kSecAttrPort, kSecAttrPath, kSecAttrSynchronizable,
            ]
        }
    }
}

/// An item as it is kept.
struct KeychainItem {
    /// 32 hexadecimal digits that no other item has.
    let identifier: String
    let itemClass: KeychainClass
    var attributes: [String: KeychainValue]
    var secret: SecretBytes

    /// What tells it from other items of its group.
    var key: [KeychainValue?] {
        let standard = itemClass.attributes
        return [.text(itemClass.rawValue)] + itemClass.identifying.map { attributes[$0] ?? standard[$0] }
    }

    /// What finds it again.
    var persistentReference: Data { Data((itemClass.rawValue + identifier).utf8) }
}

extension KeychainItem {
    private static let version: Int64 = 1
    private static let attributeLimit: Int64 = 64

    /// Reads what `encoded` wrote; throws where it is anything else.
    init(identifier: String, _ bytes: SecretBytes) throws {
        var record = try RecordDecoder(bytes)
        let version = try record.readNumber()
        // A newer version's is not damaged, and never removed for it.
        guard version <= Self.version else { throw KeychainFailure(errSecDecode) }
        guard version == Self.version, let itemClass = KeychainClass(rawValue: try record.readText()) else {
            throw KeychainDamage(path: "")
        }
        var attributes: [String: KeychainValue] = [:]
        for _ in 0..<(try record.readNumber(in: 0...Self.attributeLimit)) {
            let name = try record.readText()
            let value: KeychainValue
            switch itemClass.attributes[name] {
            case .text: value = .text(try record.readText())
            case .bytes: value = .bytes(try record.readSecret().withUnsafeBytes { Data($0) })
            case .number: value = .number(try record.readNumber())
            case .flag: value = .flag(try record.readNumber(in: 0...1) == 1)
            case .date:
                value = .date(Date(timeIntervalSince1970: Double(try record.readNumber()) / 1000))
            case nil: throw KeychainDamage(path: "")
            }
            guard attributes.updateValue(value, forKey: name) == nil else { throw KeychainDamage(path: "") }
        }
        let secret = try record.readSecret()
        try record.finish()
        self.init(identifier: identifier, itemClass: itemClass, attributes: attributes, secret: secret)
    }

    /// The item as a record in locked memory.
    var encoded: SecretBytes {
        var record = RecordEncoder()
        record.append(Self.version)
        record.append(itemClass.rawValue)
        record.append(Int64(attributes.count))
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            record.append(name)
            switch value {
            case .text(let text): record.append(text)
            case .bytes(let bytes): bytes.withUnsafeBytes { record.append($0) }
            case .number(let number): record.append(number)
            case .flag(let flag): record.append(flag ? 1 : 0)
            case .date(let date): record.append(Int64((date.timeIntervalSince1970 * 1000).rounded()))
            }
        }
        record.append(secret)
        return record.finish()
    }
}
