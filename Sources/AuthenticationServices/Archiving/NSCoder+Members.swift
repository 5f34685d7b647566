// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PropertyLists

/// Members in archives. Asking Foundation on Linux for a key that is not there is an error for the whole archive, so an
/// optional member is looked for first. And a member of a class that was not asked for ends the process there, so every
/// class that these archives hold is asked for, and one in the wrong place is nothing.
extension NSCoder {
    private var readable: [AnyClass] {
        [
            NSString.self, NSData.self, NSNumber.self, ASCredentialServiceIdentifier.self, ASPasswordCredential.self,
            ASPasswordCredentialIdentity.self, ASPasskeyCredentialIdentity.self, ASOneTimeCodeCredentialIdentity.self,
        ]
    }

    /// The text under a key; nothing when there is none.
    func text(_ key: String) -> String? {
        member(NSString.self, key).map { $0 as String }
    }

    /// The number under a key; nothing when there is none, where `decodeInteger(forKey:)` would say 0.
    func integer(_ key: String) -> Int? {
        containsValue(forKey: key) ? decodeInteger(forKey: key) : nil
    }

    /// The bytes under a key; nothing when there are none.
    func bytes(_ key: String) -> Data? {
        member(NSData.self, key).map { Data(referencing: $0) }
    }

    /// The object of a class under a key; nothing when there is none.
    func member<Member: NSObject & NSCoding>(_ type: Member.Type, _ key: String) -> Member? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: readable, forKey: key) as? Member
    }

    /// The value under a key that was written by `write(plain:_:)`; nothing when there is none, or another one.
    func plain<Value: Decodable>(_ type: Value.Type, _ key: String) -> Value? {
        bytes(key).flatMap { bytes in
            // Foundation's reader follows bytes as deep as they go; ours says first that these are within bounds.
            guard (try? PropertyList(Array(bytes))) != nil else { return nil }
            return try? PropertyListDecoder().decode(type, from: bytes)
        }
    }

    /// Writes a text, if there is one.
    func write(_ text: String?, _ key: String) {
        if let text { encode(NSString(string: text), forKey: key) }
    }

    /// Writes bytes, if there are any.
    func write(_ bytes: Data?, _ key: String) {
        if let bytes { encode(NSData(data: bytes), forKey: key) }
    }

    /// Writes a Swift value, if there is one.
    func write<Value: Encodable>(plain value: Value?, _ key: String) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let value { write(try? encoder.encode(value), key) }
    }
}
