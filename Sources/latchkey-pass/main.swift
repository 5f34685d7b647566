// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

let entries = EntryRoute(store: .shared)

CredentialProviderExtension.main(
    { PassViewController(entries: entries) },
    name: "pass",
    version: "0.1.0",
    prepare: { launch in
        await entries.open(launch)
        return entries
    }
)
