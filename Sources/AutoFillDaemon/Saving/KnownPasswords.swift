// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Crypto
internal import Foundation
internal import Synchronization

/// Remembers the passwords that the daemon has released, or has had saved, since the last unlock. It keeps keyed digests only.
///
/// A password that was typed is compared with these, so no provider learns of a sign-in that it had no part in. A digest can be made
/// only with the key. The key stands in locked memory and ends with a lock, and so do the digests.
final class KnownPasswords: Sendable {
    /// The result of comparing a typed password with the known one of an account.
    struct Comparison: Equatable, Sendable {
        /// Whether it is the known password.
        let isSame: Bool
        /// Whether it is the known password with a code appended: four to ten letters or digits.
        let isWithCode: Bool
    }

    fileprivate struct Known {
        /// The digest of the provider's own record; `nil` where the provider was told to save and named none.
        let record: Data?
        /// The digest of provider, place and user.
        let place: Data
        let password: Data
    }

    fileprivate struct Book {
        var key = SecretBytes.random(count: 32)
        var entries: [Known] = []
    }

    /// Maximum number of accounts; beyond it the oldest is forgotten.
    static let limit = 1_000

    private let book = Mutex(Book())

    /// Records a password that has passed the gate, for its identity.
    func released(_ credential: HeldCredential) {
        guard credential.identity.type == .password else { return }
        book.withLock { book in
            let names = book.names(of: credential.identity, credential.provider)
            book.entries.removeAll { known in
                names.record == nil ? known.record == nil && known.place == names.place : known.record == names.record
            }
            book.add(Known(record: names.record, place: names.place, password: credential.fingerprint(book.key)))
        }
    }

    /// Records a password that a provider has saved, in place of what was known of that account.
    func saved(_ password: HeldSecret, at origin: Origin, user: String, by provider: BundleIdentifier) {
        book.withLock { book in
            let place = book.name(["place", provider.rawValue, origin.written, user])
            book.entries.removeAll { $0.place == place }
            book.add(Known(record: nil, place: place, password: password.fingerprint(book.key)))
        }
    }

    /// Forgets a record that has changed in an unknown way.
    func forget(record: String, of provider: BundleIdentifier) {
        book.withLock { book in
            let name = book.name(["record", provider.rawValue, record])
            let places = Set(book.entries.filter { $0.record == name }.map(\.place))
            book.entries.removeAll { $0.record == name || ($0.record == nil && places.contains($0.place)) }
        }
    }

    /// Compares a password that was typed; `nil` where no password of the account was released or saved since the last unlock.
    func compare(
        _ typed: SecretBytes, with identity: CredentialIdentity, of provider: BundleIdentifier
    ) -> Comparison? {
        book.withLock { book in
            let names = book.names(of: identity, provider)
            let known = book.entries.filter { known in
                known.record == nil ? known.place == names.place : known.record == names.record
            }.map(\.password)
            guard !known.isEmpty else { return nil }
            return Comparison(
                isSame: known.contains(HeldSecret.fingerprint(typed, book.key)),
                isWithCode: typed.withoutCode.contains { known.contains(HeldSecret.fingerprint($0, book.key)) })
        }
    }

    /// Forgets everything, and the key with it.
    func forgetAll() {
        book.withLock { $0 = Book() }
    }
}

extension KnownPasswords.Book {
    /// A keyed digest that tells nothing about its parts.
    func name(_ parts: [String]) -> Data {
        var hash = key.withUnsafeBytes { HMAC<SHA256>(key: SymmetricKey(data: $0)) }
        for part in parts {
            hash.update(data: withUnsafeBytes(of: UInt64(part.utf8.count)) { Data($0) })
            hash.update(data: Data(part.utf8))
        }
        return Data(hash.finalize())
    }

    func names(
        of identity: CredentialIdentity, _ provider: BundleIdentifier
    ) -> (record: Data?, place: Data) {
        let place = Origin(written: identity.service.value)?.written ?? identity.service.value
        return (
            identity.recordIdentifier.map { name(["record", provider.rawValue, $0]) },
            name(["place", provider.rawValue, place, identity.user])
        )
    }

    mutating func add(_ known: KnownPasswords.Known) {
        entries.append(known)
        if entries.count > KnownPasswords.limit { entries.removeFirst() }
    }
}

extension SecretBytes {
    /// The text before each ending that can be a code; none of them is empty.
    fileprivate var withoutCode: [SecretBytes] {
        withUnsafeBytes { bytes in
            let isOfCode = { (byte: UInt8) in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20)
            }
            let length = bytes.reversed().prefix { isOfCode($0) }.count
            return (4...10).filter { $0 <= length && $0 < bytes.count }.map { length in
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.dropLast(length)))
            }
        }
    }
}
