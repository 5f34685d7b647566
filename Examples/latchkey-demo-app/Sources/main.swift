// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation
import Glibc

// The terminal is asked for user name and password, or the system is asked to fill both. With a page to sign in on, and what it leads back
// to (`https://…` or a scheme), the system opens that page instead.
guard let terminal = Terminal() else {
    _ = "Shiny needs a terminal.\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(1)
}
let arguments = CommandLine.arguments
if arguments.count >= 4, arguments[1] == "--web", let url = URL(string: arguments[2]) {
    let place = URL(string: arguments[3])
    let callback =
        place?.scheme == "https"
        ? ASWebAuthenticationSession.Callback.https(host: place?.host ?? "", path: place?.path ?? "")
        : .customScheme(arguments[3])
    await WebLogin(terminal).run(url, callback, isPrivate: arguments.contains("--private"))
} else {
    await LoginScreen(terminal).run()
}
