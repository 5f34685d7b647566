// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillSecrets
import Glibc
import SecurityCodes
import TerminalRendering

/// `latchkey code parse|totp|offer`
struct CodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Read security codes out of messages, and make those of authenticators.",
        subcommands: [Parse.self, TOTP.self, CodeOfferCommand.self])

    /// `latchkey code parse`
    struct Parse: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read messages from standard input and print their codes.",
            discussion: """
                Messages are separated by NUL bytes: N separators stand between N + 1 messages, and empty messages count. Prints a line for \
                each, an empty one where there is no code. Ends with status 0, whatever the messages are.
                """)

        @Flag(help: "Print {code, boundTo, embedded, reason}, one object a line.") var json = false

        func run() throws {
            var messages = SeparatedInput(STDIN_FILENO, separator: 0)
            var bytes: [UInt8] = []
            while let line = try messages.next({ Self.line(SecurityCodeReading(utf8: $0), isJSON: json) }) {
                bytes += line
                if bytes.count >= 1 << 16 {
                    Output.bytes(bytes)
                    bytes.removeAll(keepingCapacity: true)
                }
            }
            Output.bytes(bytes)
        }

        private static func line(_ reading: SecurityCodeReading, isJSON: Bool) -> [UInt8] {
            let code = reading.code
            guard isJSON else { return Array(TerminalText.escaped(code?.text ?? "").utf8) + [0x0A] }
            var bytes: [UInt8] = []
            JSONText.object([
                ("code", .optional(code?.text)), ("boundTo", .optional(code?.boundTo)),
                ("embedded", .optional(code?.embedded)),
                ("reason", .string(reading.reason.description)),
            ]).append(to: &bytes)
            return bytes
        }
    }

    /// `latchkey code totp`
    struct TOTP: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "totp", abstract: "Print the current code of an authenticator's key.",
            discussion: """
                Reads an otpauth://totp/ or otpauth-migration:// link. Prints the code, the seconds for which it is the current one, and \
                whose it is, a line for each account. Nothing is saved.
                """)

        @Option(help: "Read the link from a file, or from standard input (-), less one final newline.") var uriFile:
            String
        @Option(
            parsing: .unconditional,
            help: "Seconds by which the server's clock is ahead; negative if it is behind.") var skew: Int64 = 0
        @Flag(help: "Print an array of {code, secondsLeft, name} as JSON.") var json = false

        func validate() throws {
            guard (-86_400...86_400).contains(skew) else {
                throw ValidationError("--skew takes at most a day, in seconds.")
            }
        }

        func run() throws {
            let link = try SecretSource(file: uriFile).read("Link of an authenticator", limit: AuthenticatorLink.limit)
            let now = Int64(time(nil))
            var codes: [(name: String, code: TimedCode)] = []
            var counters = 0
            do throws(AuthenticatorLinkError) {
                try link.withUnsafeBytes { text throws(AuthenticatorLinkError) in
                    _ = try AuthenticatorLink.read(text) { entry, key in
                        let code = key.withUnsafeBytes { entry.generator.code(at: now, skew: skew, key: $0) }
                        if let code { codes.append((entry.name, code)) } else { counters += 1 }
                    }
                }
            } catch {
                throw CommandFailure(.invalidInput, error.description)
            }
            guard !codes.isEmpty else {
                throw CommandFailure(
                    .invalidInput,
                    "This key makes counter-based codes (HOTP); their counter goes up with each code, and Latchkey does not keep one."
                )
            }
            if counters > 0 {
                Output.note("\(counters) of the accounts have codes that follow a counter; they are left out.")
            }
            if json {
                Output.json(
                    .array(
                        codes.map {
                            .object([
                                ("code", .string($0.code.text)), ("secondsLeft", .integer($0.code.secondsLeft)),
                                ("name", .string($0.name)),
                            ])
                        }))
            } else {
                for (name, code) in codes {
                    Output.line(
                        "\(code.text) \(code.secondsLeft)" + (name.isEmpty ? "" : " \(TerminalText.escaped(name))"))
                }
            }
        }
    }
}
