// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillMatching
import AutoFillQuirks
import AutoFillSecrets
import FoundationEssentials
import PasswordRules
import TerminalRendering

/// `latchkey generate`
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Print a strong password.",
        discussion:
            "Nothing is saved. The JSON has the number of guesses; a note warns if it is too low.")

    /// What it looks like.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case standard, random, alphanumeric, passphrase
    }

    @Option(help: "Rules that it has to satisfy: 'required: upper; maxlength: 12'.") var rules: String?
    @Option(help: "A site whose rules it has to satisfy, as far as they are known: a host, or a URL.") var site: String?
    @Option(help: "With --site: read the quirks of sites from this folder only.") var quirks: String?
    @Option(help: "Easy to type as far as the rules allow, any characters, letters and digits, or words.")
    var kind = Kind.standard
    @Option(help: "How many words a passphrase has.") var words = 6
    @Option(help: "How many characters any other password has.") var length: Int?
    @Option(help: "How many passwords, up to 100000.") var count = 1
    @Flag(help: "Print an array of {password, entropy} as JSON.") var json = false

    func validate() throws {
        guard (1...100_000).contains(count) else { throw ValidationError("--count takes 1 to 100000.") }
        guard length == nil || kind != .passphrase else {
            throw ValidationError("The length of a passphrase is a number of --words.")
        }
        guard length.map({ (1...255).contains($0) }) ?? true else { throw ValidationError("--length takes 1 to 255.") }
        guard quirks == nil || site != nil else { throw ValidationError("--quirks is about a --site.") }
    }

    func run() throws {
        let reading = PasswordRulesReading(rules ?? "")
        for diagnostic in reading.diagnostics where diagnostic.consequence != .warning {
            Output.note("column \(diagnostic.column) of the rules: \(diagnostic.message) \(diagnostic.fix)")
        }
        let wanted = length.map { "minlength: \($0); maxlength: \($0)" }
        let rules = PasswordRules(combining: [self.rules, wanted, try siteRules()].compactMap(\.self))
        let generator: PasswordGenerator
        do throws(PasswordGenerationFailure) {
            generator = try PasswordGenerator(rules: rules, kind: passwordKind)
        } catch {
            throw CommandFailure(
                .invalidInput, error.description, hint: "`latchkey rules check` explains the rules.")
        }
        if let warning = generator.warning { Output.note(warning) }
        var randomness = BatchedRandomness()
        if json {
            Output.json(
                .array(
                    (0..<count).map { _ in
                        .object([
                            ("password", .string(generator.password(using: &randomness))),
                            ("entropy", .integer(Int64(generator.entropy))),
                        ])
                    }))
        } else {
            var bytes: [UInt8] = []
            for _ in 0..<count {
                bytes += generator.password(using: &randomness).utf8
                bytes.append(0x0A)
            }
            Output.bytes(bytes)
        }
    }

    /// A strong password for a service, by the rules of its site where they are known.
    static func password(for service: String?) throws -> SecretBytes {
        let known = SiteQuirks(folders: QuirksFolders(environment: ProcessInfo.processInfo.environment))
        let rules = service.flatMap { Origin(written: $0) }.flatMap { known.passwordRules(for: $0.host) }
        let generator = try PasswordGenerator(
            rules: PasswordRules(combining: [rules].compactMap(\.self)), kind: .standard)
        if let warning = generator.warning { Output.note(warning) }
        var randomness = BatchedRandomness()
        var bytes = Array(generator.password(using: &randomness).utf8)
        return SecretBytes(wiping: &bytes)
    }

    /// What is known of the site's passwords; nothing where nothing is.
    private func siteRules() throws -> String? {
        guard let site else { return nil }
        guard let origin = Origin(written: site) else {
            throw CommandFailure(.invalidInput, "\(site) is neither a host nor an http or https URL.")
        }
        let folders: QuirksFolders
        if let quirks {
            let path = FilePath.absolute(quirks)
            guard FilePath.isFolder(path) else { throw CommandFailure(.notFound, "There is no folder \(quirks).") }
            folders = QuirksFolders(named: path)
        } else {
            folders = QuirksFolders(environment: ProcessInfo.processInfo.environment)
        }
        let known = SiteQuirks(folders: folders)
        for problem in known.problems { Output.note(problem) }
        guard let text = known.passwordRules(for: origin.host) else {
            Output.note("No password rules are known for \(origin.host).")
            return nil
        }
        Output.note("\(origin.host): \(PasswordRules(text))")
        return text
    }

    private var passwordKind: PasswordKind {
        switch kind {
        case .standard: .standard
        case .random: .random
        case .alphanumeric: .alphanumeric
        case .passphrase: .passphrase(words: words)
        }
    }
}
