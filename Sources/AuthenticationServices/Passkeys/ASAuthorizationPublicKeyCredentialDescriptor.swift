// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Names a public key credential by its identifier.
public protocol ASAuthorizationPublicKeyCredentialDescriptor: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// The credential's identifier.
    var credentialID: Data { get set }
}
