// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// View models without Combine: a generic observable, screens that are bound to it, `@MainActor` on the protocols.

CredentialProviderExtension.main { RootViewController() }
