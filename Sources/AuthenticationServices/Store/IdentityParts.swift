// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation

/// Cuts a list of identities into messages that the wire carries.
enum IdentityParts {
    /// So many identities go into one message at most.
    static let countLimit = 2000
    /// So many bytes of identities at most, which leaves room for what surrounds them.
    static let sizeLimit = Frame.maximumSize - 4096

    /// The list in order, in one part at least. Throws when a single identity is longer than a message.
    static func split(_ identities: [IdentityStatement]) throws -> [[IdentityStatement]] {
        var parts: [[IdentityStatement]] = []
        var part: [IdentityStatement] = []
        var size = 0
        for identity in identities {
            let added = sizeBound(of: identity)
            guard added <= sizeLimit else {
                throw ASCredentialIdentityStoreError.refusing("An identity is longer than the limit of a message.")
            }
            if part.count == countLimit || size + added > sizeLimit {
                parts.append(part)
                part = []
                size = 0
            }
            part.append(identity)
            size += added
        }
        return parts + [part]
    }

    /// At least as many bytes as the identity takes in a message: its text, and 240 for names, numbers and marks.
    static func sizeBound(of identity: IdentityStatement) -> Int {
        let texts = [
            identity.service.identifier, identity.user, identity.recordIdentifier ?? "", identity.type,
            identity.credentialId ?? "", identity.userHandle ?? "",
        ]
        return texts.reduce(240) { $0 + $1.wireSize }
    }
}

extension ASCredentialIdentityStoreError {
    /// Something that cannot be sent.
    static func refusing(_ sentence: String) -> ASCredentialIdentityStoreError {
        ASCredentialIdentityStoreError(.internalError, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
