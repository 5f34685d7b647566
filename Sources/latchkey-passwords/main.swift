// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

let items = ItemRoute(store: .shared)

CredentialProviderExtension.main(
    { PasswordsViewController(items: items) },
    name: "Passwords",
    version: "0.1.0",
    prepare: { launch in
        try await items.open(launch)
        return items
    }
)
