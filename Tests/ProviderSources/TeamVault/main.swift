// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A manager for teams: a base class with generics, a router of protocols, a state machine, generated passwords, and an app that
// tells the store.

CredentialProviderExtension.main { ProviderViewController() }
