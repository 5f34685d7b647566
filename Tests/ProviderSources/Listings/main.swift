// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// What the documents of Apple print as code, as it is printed, in a program that runs: as an extension where Latchkey starts it,
// as its app everywhere else.

if ProcessInfo.processInfo.environment["LATCHKEY_PROVIDER_FD"] != nil {
    AccountModificationExtension.main(
        { AccountAuthenticationModificationViewController() }, name: "Listings", version: "1.0")
} else {
    let arguments = CommandLine.arguments.dropFirst()
    let screen = AccountSecurityViewController(authToken: arguments.last ?? "")
    print(await screen.ended(after: arguments.first == "apple" ? screen.convert : screen.upgrade))
}
