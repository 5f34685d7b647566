// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A manager of today: every kind of request, passkeys among them, in a project that is still in Swift 5 mode.

CredentialProviderExtension.main { PasskeyProviderViewController() }
