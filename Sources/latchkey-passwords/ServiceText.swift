// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation

/// A service of an item as the user wrote it: a URL where it names a scheme, a host otherwise.
struct ServiceText: Hashable, Sendable {
    let text: String
    let type: ASCredentialServiceIdentifier.IdentifierType

    init(_ text: String) {
        self.text = text
        type = text.contains("://") ? .URL : .domain
    }

    init(_ identifier: ASCredentialServiceIdentifier) {
        text = identifier.identifier
        type = identifier.type
    }

    var identifier: ASCredentialServiceIdentifier {
        ASCredentialServiceIdentifier(identifier: text, type: type)
    }

    /// The host in lower case; for ordering only, never for deciding who may have what.
    var host: String {
        let host = type == .URL ? URLComponents(string: text)?.host : nil
        return (host ?? text).lowercased()
    }
}
