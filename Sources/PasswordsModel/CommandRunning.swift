// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import FoundationEssentials

/// Runs commands of the program `latchkey`. The app needs it for work that the daemon does not do: setting up browsers, importing a file,
/// and finding the page where a site has its passwords changed.
package protocol CommandRunning: Sendable {
    /// - Parameter input: What it reads from its standard input, such as a passphrase.
    func run(_ arguments: [String], input: SecretBytes?) async -> CommandOutcome
}

/// How `latchkey` ended.
package struct CommandOutcome: Sendable, Equatable {
    package var status: Int32
    package var output: String
    /// What it said went wrong, in sentences for people.
    package var problem: String

    package init(status: Int32, output: String = "", problem: String = "") {
        self.status = status
        self.output = output
        self.problem = problem
    }

    /// The output of a command that was to print JSON; `nil` where it is something else.
    func decoded<Kind: Decodable>(as kind: Kind.Type = Kind.self) -> Kind? {
        try? JSONDecoder().decode(kind, from: Data(output.utf8))
    }

    /// Whether it wants the passphrase first (docs/command-line.md, exit statuses).
    package var wantsPassphrase: Bool { status == 4 }

    /// What went wrong and what to do, in one line and without the marks that a terminal's reader knows. Hints that are commands are left
    /// out, and so are notes.
    package var sentence: String {
        var lines: [Substring] = []
        for line in problem.split(separator: "\n") {
            if line.hasPrefix(Self.mark) {
                lines.append(line.dropFirst(Self.mark.count))
            } else if line.hasPrefix(Self.hint), !line.contains("`"), !line.contains("--") {
                lines.append(line.dropFirst(Self.hint.count))
            }
        }
        return lines.isEmpty ? "The program latchkey ended with status \(status)." : lines.joined(separator: " ")
    }

    /// What else the command said for people.
    package var notes: [String] {
        problem.split(separator: "\n").filter { !$0.hasPrefix(Self.mark) && !$0.hasPrefix(Self.hint) }.map(String.init)
    }

    private static let hint = "hint: "
    private static let mark = "latchkey: "
}

/// What connects browsers to Latchkey, by `latchkey browser status --json`.
package struct BrowserReport: Sendable {
    package struct Browser: Decodable, Sendable, Equatable {
        package let name: String
        /// Whether it can start Latchkey. Whether it has the extension loaded cannot be seen from outside.
        package let ready: Bool
        package let fault: String?
    }

    package let browsers: [Browser]

    private struct Printed: Decodable {
        let browsers: [Browser]
    }

    package static let arguments = ["browser", "status", "--json"]

    /// The command prints its report also where something is missing; `nil` where it printed none.
    package init?(_ outcome: CommandOutcome) {
        guard let printed: Printed = outcome.decoded() else { return nil }
        browsers = printed.browsers
    }
}

/// The folder of the extension that a user loads, as `latchkey browser install` names it.
package struct ExtensionPlace: Sendable {
    package let folder: String

    package init?(_ outcome: CommandOutcome) {
        // It stands in a line of its own.
        let lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        guard outcome.status == 0,
            let folder = lines.first(where: { $0.hasPrefix("/") && $0.hasSuffix("/BrowserExtension") })
        else { return nil }
        self.folder = String(folder)
    }
}

/// Whether the password of the user's login unlocks, by `latchkey login status --json`.
package struct LoginReport: Decodable, Sendable {
    package static let arguments = ["login", "status", "--json"]

    private let login: String
    private let module: String

    package init?(_ outcome: CommandOutcome) {
        guard outcome.status == 0, let report: LoginReport = outcome.decoded() else { return nil }
        self = report
    }

    package var isOn: Bool { login != "off" }

    /// What it does, or what is missing for it.
    package var sentence: String {
        switch (login, module) {
        case (_, "missing"): "This computer lacks the package libpam-latchkey, which it takes."
        case ("changed", _): "Your login password has changed. Switch this off and on again."
        case ("damaged", _): "The login key is damaged. Switch this off and on again."
        case (_, "unused"):
            "Logins do not use it yet. Whoever looks after this computer runs: pam-auth-update --enable latchkey"
        default: "The password of your login opens Latchkey then. It is as safe as that password."
        }
    }
}

/// What became of an import, by `latchkey import --json`.
package struct ImportOutcome: Sendable {
    private struct Printed: Decodable, Sendable {
        struct Skip: Decodable, Sendable { let line: Int, reason: String, loss: Bool }
        struct Column: Decodable, Sendable { let column: String, use: String? }
        let imported: Int, skipped: [Skip], withoutSite: Int, otherPassword: [Int], uncertain: [Int]
        let settled: [Int], past: [Int], completed: Int
        let complete: Bool, columns: [Column]
    }

    private let printed: Printed
    /// Why it ended early, or nothing was imported.
    private let problem: String?

    package init?(_ outcome: CommandOutcome) {
        guard let printed: Printed = outcome.decoded() else { return nil }
        self.printed = printed
        problem = outcome.status == 0 ? nil : outcome.sentence
    }

    /// How many accounts were saved, or would be.
    package var imported: Int { printed.imported }

    /// Whether anything is saved now that was not before.
    package var changedAnything: Bool { printed.imported + printed.settled.count + printed.completed > 0 }

    /// As what the columns of the file are read, a line each.
    package var columns: [String] {
        let uses = [
            ("title", "Title"), ("address", "Website"), ("user", "User name"), ("password", "Password"),
            ("notes", "Notes"), ("authenticator", "Key of codes"), ("tags", "Tags"), ("favorite", "Favorite"),
        ]
        var lines = uses.compactMap { use, name in
            let columns = printed.columns.filter { $0.use == use }.map(\.column)
            return columns.isEmpty ? nil : "\(name): \(columns.joined(separator: ", "))"
        }
        let others = printed.columns.filter { $0.use == nil && !$0.column.isEmpty }.map(\.column)
        if !others.isEmpty { lines.append("Left out: \(others.joined(separator: ", "))") }
        return lines
    }

    /// What the user is told, a sentence in each line.
    package var sentences: [String] {
        var lines = [imported == 1 ? "One account was imported." : "\(imported) accounts were imported."]
        if printed.withoutSite > 0 {
            lines.append(
                printed.withoutSite == 1
                    ? "One of them is for no website. It is in the list by its title."
                    : "\(printed.withoutSite) of them are for no website. They are in the list by their titles.")
        }
        // The same reason for many lines is said once.
        var reasons: [(reason: String, lines: [Int])] = []
        for skip in printed.skipped {
            if let index = reasons.firstIndex(where: { $0.reason == skip.reason }) {
                reasons[index].lines.append(skip.line)
            } else {
                reasons.append((skip.reason, [skip.line]))
            }
        }
        for (reason, numbers) in reasons.prefix(Self.reasonLimit) {
            lines.append("Left out, \(Self.list(numbers)): \(reason).")
        }
        if reasons.count > Self.reasonLimit { lines.append("More was left out, for other reasons.") }
        if !printed.otherPassword.isEmpty {
            lines.append(
                "Another password was saved for the same account; both are kept: \(Self.list(printed.otherPassword)).")
        }
        let used = printed.settled.filter { !printed.past.contains($0) }
        if !used.isEmpty {
            lines.append(
                "The file's password is used now; the earlier one is in the account's history: \(Self.list(used)).")
        }
        if !printed.past.isEmpty {
            lines.append("The file's password is in the account's history and not used: \(Self.list(printed.past)).")
        }
        if !printed.uncertain.isEmpty {
            lines.append(
                "It is unknown whether these were saved: \(Self.list(printed.uncertain)). Import the file again.")
        }
        if let problem { lines.append(problem) }
        if changedAnything {
            lines.append(
                printed.complete
                    ? "The file holds these passwords in the clear. Delete it."
                    : "The file holds passwords in the clear, and not everything in it was saved: look after the rest, then delete it."
            )
        }
        return lines
    }

    private static let reasonLimit = 6

    /// Line numbers, the first of them.
    private static func list(_ lines: [Int]) -> String {
        guard lines.count > 1 else { return "line \(lines.first ?? 0)" }
        let first = lines.prefix(4).map(String.init).joined(separator: ", ")
        return "\(lines.count) lines (\(first)\(lines.count > 4 ? ", …" : ""))"
    }
}

/// The page where a site has its passwords changed, by `latchkey change-password --json`.
package struct WebsitePlace: Decodable, Sendable {
    package let url: String

    package static func arguments(for site: String) -> [String] { ["change-password", "--json", "--", site] }

    /// - Returns: `nil` where none is known.
    package init?(_ outcome: CommandOutcome) {
        guard outcome.status == 0, let place: WebsitePlace = outcome.decoded(), place.url.hasPrefix("https://") else {
            return nil
        }
        self = place
    }
}

/// The format that has to be named for a file whose columns are only guessed.
package struct GuessedFormat: Sendable, Equatable {
    package let name: String

    /// - Returns: `nil` where the import failed for another reason.
    package init?(_ outcome: CommandOutcome) {
        let option = "--format "
        guard outcome.status != 0, let start = outcome.problem.firstRange(of: option)?.upperBound else { return nil }
        let name = outcome.problem[start...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard !name.isEmpty else { return nil }
        self.name = String(name)
    }
}

/// An import that asks which password accounts are to have that are saved with another one.
package struct PasswordConflict: Sendable, Equatable {
    /// The question, as the command puts it.
    package let sentence: String
    /// Its answers, in words for the option `--keep`.
    package static let answers = [("file", "Use the File's"), ("saved", "Use the Saved Ones"), ("both", "Keep Both")]

    /// - Returns: `nil` where the import failed for another reason.
    package init?(_ outcome: CommandOutcome) {
        guard outcome.status == 64, outcome.problem.contains("--keep ") else { return nil }
        sentence = outcome.sentence.replacing(" There is no terminal to ask on.", with: "")
    }
}
