// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Synchronization

/// Names a passkey by its identifier.
///
/// Sendable unchecked: the one member is behind a lock.
open class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject,
    ASAuthorizationPublicKeyCredentialDescriptor, @unchecked Sendable
{
    private let identifier: Mutex<Data>

    /// A descriptor of the passkey with an identifier.
    public init(credentialID: Data) {
        identifier = Mutex(credentialID)
        super.init()
    }

    /// The passkey's identifier.
    open var credentialID: Data {
        get { identifier.withLock { $0 } }
        set { identifier.withLock { $0 = newValue } }
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let bytes = coder.bytes("credentialID") else { return nil }
        identifier = Mutex(bytes)
        super.init()
    }

    /// Writes the identifier.
    open func encode(with coder: NSCoder) {
        coder.write(credentialID, "credentialID")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another descriptor of the same passkey.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: credentialID)
    }
}
