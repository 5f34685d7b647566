// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What can be handed over as a credential.
public protocol ASAuthorizationCredential: NSCopying, NSSecureCoding, NSObjectProtocol {}
