// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A small manager whose accounts are keychain items, behind a wrapper that throws. Nothing but UIKit is imported where screens are.

CredentialProviderExtension.main { CredentialProviderViewController() }
