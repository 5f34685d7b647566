// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A manager whose vault is one file that its app leaves in an app group. A coordinator without isolation, a master password,
// work on queues.

CredentialProviderExtension.main { CredentialProviderViewController() }
