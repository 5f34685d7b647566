// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A provider that was first written for iOS 12 and never rewritten: completion handlers, dispatch groups, `NSError`, blocks for
// notifications.

CredentialProviderExtension.main { CredentialProviderViewController() }
