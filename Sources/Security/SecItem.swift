// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

// Generic and internet passwords, in the container of the provider and in those of its app groups. What each function
// answers is documented by Apple; what is different here stands in docs/porting-from-ios.md.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Adds an item; `errSecDuplicateItem` where there is one of the same account and place.
///
/// - Parameters:
///   - attributes: The class, the attributes, `kSecValueData`, and what to return.
///   - result: Receives what `kSecReturn…` asks for.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let hasPlace = result != nil
    return Keychain.answer(result) { keychain in
        try keychain.add(KeychainQuery(attributes, for: .add), hasPlace: hasPlace)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Finds items; `errSecItemNotFound` where there are none.
///
/// - Parameters:
///   - query: The class, attributes that have to be the same, `kSecMatchLimit`, and what to return.
///   - result: Receives data, a dictionary or a persistent reference; an array of them where more than one may match.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.answer(result) { keychain in try keychain.copy(KeychainQuery(query, for: .copy)) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes all items that match; `errSecItemNotFound` where there are none, `errSecDuplicateItem` where one would become
/// the same as another.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.answer(nil) { keychain in
        let query = try KeychainQuery(query, for: .change)
        try keychain.update(query, to: KeychainQuery(attributesToUpdate, for: .update, of: query.itemClass))
        return nil
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Removes all items that match; `errSecItemNotFound` where there are none.
///
/// A damaged file of items (`errSecDecode`) holds items of both classes. A query that names a class and nothing else, or its
/// group too, removes it as a whole once this process has been told of the damage by an earlier call.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Keychain.answer(nil) { keychain in
        try keychain.delete(KeychainQuery(query, for: .change))
        return nil
    }
}
