// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A manager with a server: services in a locator, actors, `Task {}` in overrides, completion handlers wrapped into `async`.

CredentialProviderExtension.main { CredentialProviderViewController() }
