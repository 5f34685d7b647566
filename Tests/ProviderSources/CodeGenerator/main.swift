// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// An authenticator: one-time codes by requests, identities of two types in batches, a timer that draws anew.

CredentialProviderExtension.main { CodeProviderViewController() }
