// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ShinyClient

// Shiny's app, as far as its account screen goes: signs in with what is typed, and then asks for the upgrade.
let arguments = Array(CommandLine.arguments.dropFirst())
let ways = ["strong-password", "sign-in-with-apple"]
guard arguments.count == 2, ways.contains(arguments[1]) else {
    print("usage: shiny USER strong-password|sign-in-with-apple   (the password on standard input)")
    exit(64)
}
let (user, way) = (arguments[0], arguments[1])
let host = "shiny.example.com"

guard let typed = getpass("Password: "), let password = String(validatingCString: typed), !password.isEmpty else {
    print("There is no password to sign in with.")
    exit(64)
}
do {
    let token = try await ShinyClient().signIn(Proof(user: user, password: password))
    print("You are signed in as \(user).")
    let screen = AccountScreen()
    print(
        way == "strong-password"
            ? await screen.upgradeToStrongPassword(user: user, at: host, token: token)
            : await screen.upgradeToSignInWithApple(user: user, at: host, token: token))
} catch let refusal as ShinyClient.Refusal {
    print(refusal.message)
    exit(1)
}
