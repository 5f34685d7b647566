// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TerminalRendering

/// `latchkey demo`
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Serve a page to try filling and saving on.",
        discussion: """
            It has a form to sign in, one to sign up and one for a security code. Only this computer reaches it, and what you send to it is dropped. \
            Control-C ends it. What is saved for it stays saved for its address, so it is offered again on the same port.
            """)

    @Option(help: "The port; 0 for a free one.") var port: UInt16 = 8765

    func run() throws {
        let server = try DemoServer(port: port)
        Output.line("A page to try it on, until you press Control-C: http://localhost:\(server.port)/")
        Output.line(
            "Sign up: type a user name, press the field for the password, choose \"Use Strong Password\", send the form."
        )
        Output.line("Sign in: press the field for the user name, choose the account, send the form.")
        Output.line(
            "Code: type `echo 'Your code is 482913' | latchkey code offer` in another terminal, then press the field.")
        server.serve()
    }
}
