// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import Glibc
import TerminalRendering

/// `latchkey code offer`
struct CodeOfferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer", abstract: "Have the code of a message offered in browsers for a few minutes.",
        discussion: """
            Reads one message from standard input, at most 256 KiB. The code is not printed, and the message is not kept. Ends with status 5 where the \
            message has no code, and with status 6 where its code was used already.
            """)

    /// The longest message, in bytes.
    static let limit = 256 << 10

    @Flag(help: "Print {found, offered, reason, boundTo, embedded, seconds} as JSON.") var json = false

    func run() async throws {
        let message: SecretBytes
        do {
            message = try Descriptor.readAll(STDIN_FILENO, limit: Self.limit)
        } catch .tooLong {
            throw CommandFailure(.invalidInput, "The message is longer than \(Self.limit >> 10) KiB.")
        } catch .system(let reason) {
            throw CommandFailure(.storage, "Standard input cannot be read: \(String(cString: strerror(reason))).")
        }
        guard message.isText else { throw CommandFailure(.invalidInput, "The message is not UTF-8 text.") }
        let answer = try await DaemonConnection.open().call(Codes.Offer.self, .init(message: WireSecret(message)))
        if json {
            Output.json(
                .object([
                    ("found", .bool(answer.found)), ("offered", .bool(answer.offered)),
                    ("reason", .string(answer.reason)),
                    ("boundTo", .optional(answer.boundTo)), ("embedded", .optional(answer.embedded)),
                    ("seconds", .optional(answer.seconds.map(Int64.init))),
                ]))
        }
        guard answer.found else {
            throw CommandFailure(
                .notFound, "The message has no code: \(TerminalText.escaped(answer.reason))",
                hint: "`latchkey code parse` shows how a message is read.")
        }
        guard answer.offered else {
            throw CommandFailure(.refused, "The code was used already: it is not offered again.")
        }
        guard !json else { return }
        let place = answer.boundTo.map { " for \(TerminalText.escaped($0))" } ?? ", bound to no site"
        Output.line("A code is offered for \(answer.seconds ?? 0) seconds\(place).")
    }
}
