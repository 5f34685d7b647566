// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import TerminalRendering

/// `latchkey providers new NAME`
struct ProvidersNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a Swift package for a provider or another extension and the app around it, to begin with.",
        discussion:
            "`make` builds it, `make install` hands it to Latchkey. docs/writing-a-provider.md walks through it."
    )

    @Argument(help: "The provider's name: letters and digits, beginning with a capital.") var name: String
    @Option(help: "Where to put the folder NAME; without it, here.", completion: .directory) var directory: String?
    @Option(
        help: """
            The bundle identifier; without it com.example. and NAME in lower case. With --account-modification it is \
            the app's, and the extension's is that with .upgrade behind it.
            """)
    var identifier: String?

    @Flag(help: "An account authentication modification extension: it changes the passwords of your app's accounts.")
    var accountModification = false

    func run() throws {
        let template = try ProviderTemplate(name: name, identifier: identifier)
        let files = accountModification ? template.modificationFiles : template.files
        let folder = FilePath.absolute(directory ?? ".") + "/" + template.name
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(.alreadyExists, "\(folder) is there already.", hint: "Nothing was changed.")
        }
        do {
            for (path, text) in files {
                let url = URL(fileURLWithPath: folder + "/" + path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
        } catch {
            throw CommandFailure(.storage, "\(folder) cannot be written.")
        }
        for path in files.map(\.path) { Output.line(TerminalText.escaped(template.name + "/" + path)) }
        Output.note("Now: `make` and `make install` in \(template.name).")
    }
}
