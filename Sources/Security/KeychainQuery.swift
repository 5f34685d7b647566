// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation

/// What a caller asks for, read from its dictionary. A key that is not known is refused rather than passed over: it may
/// have been meant to protect something.
struct KeychainQuery {
    /// What a dictionary is for, which decides what may stand in it.
    enum Purpose {
        case add
        case copy
        /// Names items that are changed or removed.
        case change
        /// Says what they become.
        case update
    }

    let itemClass: KeychainClass
    private(set) var attributes: [String: KeychainValue] = [:]
    /// Whether items count whatever their synchronizability.
    private(set) var matchesAnySynchronizable = false
    private(set) var secret: SecretBytes?
    /// The identifier in a persistent reference.
    private(set) var identifier: String?
    private(set) var returnsData = false
    private(set) var returnsAttributes = false
    private(set) var returnsReference = false
    /// The most items; `nil` for one, which is not returned as an array.
    private(set) var limit: Int?

    /// Whether all items of the class are meant, of all groups or of one.
    var namesEverything: Bool {
        identifier == nil && secret == nil && attributes.keys.allSatisfy { $0 == kSecAttrAccessGroup }
    }

    var returnsAnything: Bool { returnsData || returnsAttributes || returnsReference }

    /// - Parameter itemClass: The class, where the dictionary does not name it itself.
    init(_ dictionary: CFDictionary, for purpose: Purpose, of itemClass: KeychainClass? = nil) throws {
        var members: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String else { throw KeychainFailure(errSecParam) }
            members[name] = value
        }
        let reference = try members.removeValue(forKey: kSecValuePersistentRef).map(Self.read(reference:))
        guard reference == nil || purpose == .copy || purpose == .change else { throw KeychainFailure(errSecParam) }
        let named = try members.removeValue(forKey: kSecClass).map(Self.read(class:))
        guard named == nil || itemClass == nil, let found = named ?? itemClass ?? reference?.itemClass,
            reference.map({ $0.itemClass == found }) ?? true
        else { throw KeychainFailure(errSecParam) }
        self.itemClass = found
        identifier = reference?.identifier
        for (name, value) in members { try take(name, value, for: purpose) }
    }

    private mutating func take(_ name: String, _ value: Any, for purpose: Purpose) throws {
        switch name {
        case kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef:
            guard purpose == .add || purpose == .copy else { throw KeychainFailure(errSecParam) }
            let flag = try Self.flag(value)
            switch name {
            case kSecReturnData: returnsData = flag
            case kSecReturnAttributes: returnsAttributes = flag
            default: returnsReference = flag
            }
        case kSecMatchLimit:
            guard purpose == .copy else { throw KeychainFailure(errSecParam) }
            limit = try Self.limit(value)
        case kSecValueData:
            guard let data = value as? Data else { throw KeychainFailure(errSecParam) }
            secret = data.withUnsafeBytes { SecretBytes(copying: $0) }
        case kSecUseDataProtectionKeychain: _ = try Self.flag(value)
        case kSecAttrSynchronizable where value as? String == kSecAttrSynchronizableAny:
            guard purpose == .copy || purpose == .change else { throw KeychainFailure(errSecParam) }
            matchesAnySynchronizable = true
        default: try takeAttribute(name, value, for: purpose)
        }
    }

    private mutating func takeAttribute(_ name: String, _ value: Any, for purpose: Purpose) throws {
        guard let shape = itemClass.attributes[name] else { throw KeychainFailure(errSecNoSuchAttr) }
        let isSetByKeychain = name == kSecAttrCreationDate || name == kSecAttrModificationDate
        guard !isSetByKeychain || purpose == .copy || purpose == .change else { throw KeychainFailure(errSecParam) }
        // An item that moves would be in two files for a moment.
        guard name != kSecAttrAccessGroup || purpose != .update else { throw KeychainFailure(errSecUnimplemented) }
        let read = try Self.read(value, as: shape)
        guard name != kSecAttrAccessible || Self.accessibilities.contains(read) else {
            throw KeychainFailure(errSecParam)
        }
        attributes[name] = read
    }

    /// Whether an item is one of those that are asked for; its group has been looked at.
    func matches(_ item: KeychainItem) -> Bool {
        guard item.itemClass == itemClass, identifier.map({ $0 == item.identifier }) ?? true else { return false }
        let standard = itemClass.attributes
        let identifying = Set(itemClass.identifying)
        var wanted = attributes
        wanted[kSecAttrAccessGroup] = nil
        // Who says nothing about it means items that stay where they are; a reference names one item, whichever it is.
        if !matchesAnySynchronizable, identifier == nil, wanted[kSecAttrSynchronizable] == nil {
            wanted[kSecAttrSynchronizable] = .flag(false)
        }
        return wanted.allSatisfy { name, value in
            let kept = item.attributes[name] ?? (identifying.contains(name) ? standard[name] : nil)
            return kept == value
        }
    }

    private static let accessibilities = Set(
        [
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, kSecAttrAccessibleWhenUnlocked,
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlock,
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ].map(KeychainValue.text))

    private static func read(class value: Any) throws -> KeychainClass {
        guard let name = value as? String else { throw KeychainFailure(errSecParam) }
        // Certificates, keys and identities.
        guard let itemClass = KeychainClass(rawValue: name) else { throw KeychainFailure(errSecUnimplemented) }
        return itemClass
    }

    private static func read(reference value: Any) throws -> (itemClass: KeychainClass, identifier: String) {
        guard let data = value as? Data, data.count == 36,
            let itemClass = KeychainClass(rawValue: String(decoding: data.prefix(4), as: UTF8.self))
        else { throw KeychainFailure(errSecParam) }
        return (itemClass, String(decoding: data.dropFirst(4), as: UTF8.self))
    }

    private static func read(_ value: Any, as shape: KeychainValue) throws -> KeychainValue {
        switch shape {
        case .text: if let text = value as? String { return .text(text) }
        case .bytes: if let bytes = value as? Data { return .bytes(bytes) }
        case .number: if let number = number(value) { return .number(number) }
        case .flag: return .flag(try flag(value))
        case .date: if let date = value as? Date { return .date(date) }
        }
        throw KeychainFailure(errSecParam)
    }

    private static func number(_ value: Any) -> Int64? {
        if value is Bool { return nil }
        if let number = value as? any BinaryInteger { return Int64(exactly: number) }
        return (value as? NSNumber)?.int64Value
    }

    private static func flag(_ value: Any) throws -> Bool {
        if let flag = value as? Bool { return flag }
        guard let number = value as? NSNumber else { throw KeychainFailure(errSecParam) }
        return number.boolValue
    }

    private static func limit(_ value: Any) throws -> Int? {
        if let word = value as? String {
            switch word {
            case kSecMatchLimitOne: return nil
            case kSecMatchLimitAll: return .max
            default: throw KeychainFailure(errSecParam)
            }
        }
        guard let number = number(value), number > 0 else { throw KeychainFailure(errSecParam) }
        return number == 1 ? nil : Int(clamping: number)
    }
}
