// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import Crypto
internal import Foundation

/// What became known of a credential beside what its provider keeps: it is marked, never deleted.
struct CredentialMarks: Codable, Equatable, Sendable {
    /// When a server last said no to it, in seconds since 1970.
    var rejected: Int64?
    /// When its password ends to be good.
    var expires: Int64?

    var isEmpty: Bool { rejected == nil && expires == nil }

    /// Credentials that are marked at most; beyond it one whose mark is older is forgotten.
    static let limit = 2_000

    /// The name under which a credential is marked: it tells nothing about it.
    static func name(of identity: CredentialIdentity, provider: BundleIdentifier) -> String {
        name(record: identity.recordIdentifier ?? identity.service.value + "\n" + identity.user, provider: provider)
    }

    static func name(record: String, provider: BundleIdentifier) -> String {
        var hash = SHA256()
        for part in [provider.rawValue, record] {
            hash.update(data: withUnsafeBytes(of: UInt64(part.utf8.count)) { Data($0) })
            hash.update(data: Data(part.utf8))
        }
        return Data(hash.finalize()).base64EncodedString()
    }
}

extension SealedRegistry {
    /// Changes what is known of a credential, and keeps it; nothing is changed when it cannot be written.
    mutating func mark(_ name: String, _ change: (inout CredentialMarks) -> Void) throws {
        var marks = marks(name)
        let old = marks
        change(&marks)
        if marks != old { try setMarks(name, marks.isEmpty ? nil : marks) }
    }
}
