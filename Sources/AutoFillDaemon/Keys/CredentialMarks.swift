// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import Crypto
internal import Foundation

/// Facts about a credential beyond those that its provider keeps. A credential is marked, never deleted.
struct CredentialMarks: Codable, Equatable, Sendable {
    /// When a server last said no to it, in seconds since 1970.
    var rejected: Int64?
    /// When its password expires, in seconds since 1970.
    var expires: Int64?

    var isEmpty: Bool { rejected == nil && expires == nil }

    /// Maximum number of marked credentials; beyond it the one with the oldest marks is forgotten.
    static let limit = 2_000

    /// The name under which a credential is marked. It tells nothing about the credential.
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
    /// Changes the marks of a credential and writes them; nothing changes if they cannot be written.
    mutating func mark(_ name: String, _ change: (inout CredentialMarks) -> Void) throws {
        var marks = marks(name)
        let old = marks
        change(&marks)
        if marks != old { try setMarks(name, marks.isEmpty ? nil : marks) }
    }
}
