// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PasswordRules
import TerminalRendering

/// `latchkey rules check|parse`
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Check password rules, as a site's passwordrules attribute states them.",
        subcommands: [Check.self, Parse.self], defaultSubcommand: Check.self)

    /// `latchkey rules check`
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Explain password rules, with ten passwords that satisfy them.",
            discussion: "Ends with status 13 when something in them is lost or when no password satisfies them.")

        @Argument(help: "The rules: 'required: upper; required: digit; minlength: 12'.") var rules: String
        @Flag(help: "Print one object as JSON.") var json = false

        func run() throws {
            let report = RulesReport(rules)
            if json { Output.json(report.json) } else { report.lines.forEach(Output.line) }
            if let failure = report.failure { throw CommandFailure(.invalidInput, failure) }
        }
    }

    /// `latchkey rules parse`
    struct Parse: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read rules from standard input, one per line, and print their meaning.",
            discussion: """
                A line ends at its line feed; a carriage return before it is white space behind the rules. Ends with status 0, whatever \
                is wrong in them: what is, stands in the output.
                """)

        @Flag(help: "Print one object a line as JSON.") var json = false

        func run() throws {
            var input = SeparatedInput(STDIN_FILENO, separator: 0x0A)
            var bytes: [UInt8] = []
            func add(_ line: UnsafeBufferPointer<UInt8>) {
                let reading = PasswordRulesReading(String(decoding: line, as: UTF8.self))
                if json {
                    RulesLine.append(reading, to: &bytes)
                } else {
                    bytes += reading.rules.description.utf8
                    bytes.append(0x0A)
                }
                guard bytes.count >= 1 << 16 else { return }
                Output.bytes(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            // What stands behind the last line end is a text only where there is something.
            var waits = false
            func take(_ line: UnsafeBufferPointer<UInt8>) {
                if waits { add(UnsafeBufferPointer(start: nil, count: 0)) }
                waits = line.isEmpty
                if !waits { add(line) }
            }
            while try input.next(take) != nil {}
            Output.bytes(bytes)
        }
    }
}

/// What there is to say about rules.
struct RulesReport {
    private let reading: PasswordRulesReading
    private let generator: Result<PasswordGenerator, PasswordGenerationFailure>
    private let examples: [String]

    init(_ text: String) {
        reading = PasswordRulesReading(text)
        let rules = reading.rules
        do throws(PasswordGenerationFailure) {
            let passwords = try PasswordGenerator(rules: rules)
            generator = .success(passwords)
            examples = (0..<10).map { _ in passwords.password() }
        } catch {
            generator = .failure(error)
            examples = []
        }
    }

    /// Why the rules are not to be used as they are; nothing if they are.
    var failure: String? {
        if case .failure(let failure) = generator { return failure.description }
        let lost = reading.diagnostics.contains { $0.consequence != .warning }
        return lost ? "Something in these rules is lost." : nil
    }

    var lines: [String] {
        let rules = reading.rules
        var rows = [["rules", rules.description], ["characters", rules.allowed.asciiCharacters]]
        if rules.allowed.isUnicode { rows[1][1] = "all of Unicode" }
        let least = rules.minLength.map(String.init) ?? "any"
        rows.append(["length", rules.maxLength.map { "\(least) to \($0)" } ?? "\(least) or more"])
        if case .success(let passwords) = generator {
            rows.append(["entropy", "\(Int(passwords.entropy)) bits"])
            if let warning = passwords.warning { rows.append(["warning", warning]) }
        }
        rows += examples.enumerated().map { [$0 == 0 ? "examples" : "", $1] }
        rows += reading.diagnostics.map { ["column \($0.column)", "\($0.message) \($0.fix)"] }
        return TextTable(rows: rows.map { $0.map(TerminalText.escaped) }).lines(forTerminal: true)
    }

    var json: JSONText {
        guard case .object(var members) = Self.json(reading) else { return .null }
        members.append(("characters", .string(reading.rules.allowed.asciiCharacters)))
        switch generator {
        case .success(let passwords):
            members.append(("entropy", .integer(Int64(passwords.entropy))))
            members.append(("warning", .optional(passwords.warning)))
            members.append(("examples", .strings(examples)))
        case .failure(let failure):
            members.append(("failure", .string(failure.description)))
        }
        return .object(members)
    }

    static func json(_ reading: PasswordRulesReading) -> JSONText {
        let rules = reading.rules
        func number(_ number: Int?) -> JSONText { .optional(number.map(Int64.init)) }
        return .object([
            ("canonical", .string(rules.description)), ("required", .strings(rules.required.map(\.description))),
            ("allowed", .string(rules.allowed.description)), ("minlength", number(rules.minLength)),
            ("maxlength", number(rules.maxLength)), ("maxConsecutive", number(rules.maxConsecutive)),
            (
                "diagnostics",
                .array(
                    reading.diagnostics.map {
                        .object([
                            ("column", .integer(Int64($0.column))), ("message", .string("\($0.message) \($0.fix)")),
                        ])
                    })
            ),
        ])
    }
}
