// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// `latchkey add SERVICE USER`
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Save a password.",
        discussion: """
            The password is read from standard input, or asked for on the terminal, or made by --generate. The id of the \
            new item is printed. What is for no website, such as a note or the key of a door, has a --title in the place \
            of SERVICE and USER; a note needs no password.
            """
    )

    @Argument(help: "What the user signs in to: a host (shiny.example.com), or a URL with its scheme.")
    var service: String?
    @Argument(help: "The user name.") var user: String?
    @Option(help: "What you call it.") var title: String?
    @Option(name: .customLong("also"), help: "A further service of the same account. Can be repeated.")
    var others: [String] = []
    @Option(help: "Read the password from a file, or from standard input (-).") var passwordFile: String?
    @Flag(help: "Make a strong password, by the rules of the site where they are known.") var generate = false
    @OptionGroup var notes: NotesOptions
    @OptionGroup var authenticator: AuthenticatorOptions
    @Flag(help: "Offer it to exactly these hosts, not to others of their sites.") var strict = false
    @Flag(help: "List it among the favorites.") var favorite = false
    @Option(name: .customLong("tag"), help: "A word of your own for it. Can be repeated.") var tags: [String] = []
    @Flag(help: "Print the item as JSON instead of its id.") var json = false

    func validate() throws {
        guard !(generate && passwordFile != nil) else {
            throw ValidationError("--generate makes the password; name no file with it.")
        }
        guard service == nil || user != nil else { throw ValidationError("Missing expected argument '<user>'") }
        guard service != nil || title?.isEmpty == false else {
            throw ValidationError("Name the service and the user, or a --title.")
        }
        guard service != nil || others.isEmpty else { throw ValidationError("--also adds to a service; name one.") }
    }

    /// Whether there is to be no password.
    private var isNote: Bool { service == nil && notes.isGiven && passwordFile == nil && !generate }

    func run() async throws {
        let source = generate || isNote ? nil : SecretSource(file: passwordFile)
        try notes.requireInput(besides: source, authenticator)
        try authenticator.requireInput(besides: source)
        let (services, remarks) = try ItemService.read([service].compactMap(\.self) + others)
        let daemon = try await DaemonConnection.open()
        try await daemon.requireUnlocked()
        let name = user.map { "\($0) at \(services.first ?? "")" } ?? title ?? ""
        let password =
            try source?.read("Password for \(name)", option: "--password-file", isNew: true)
            ?? (generate ? GenerateCommand.password(for: services.first) : SecretBytes(count: 0))
        let link = try authenticator.read()
        let new = NewItem(
            services: services, user: user ?? "", password: WireSecret(password),
            notes: try notes.read().map(WireSecret.init),
            strict: strict ? true : nil, authenticator: link.map(WireSecret.init),
            favorite: favorite ? true : nil, tags: tags.isEmpty ? nil : tags,
            title: title)
        let answer = try await daemon.call(Items.Add.self, .init(items: [new]))
        guard let item = answer.items.first else {
            throw CommandFailure(.malfunction, "The daemon did not report what it added.")
        }
        for remark in remarks { Output.note(remark) }
        if !json { Output.note("Saved \(item.spoken).") }
        if generate {
            Output.note("`latchkey show \(item.id.prefix(8)) --copy` puts the new password on the clipboard.")
        }
        if json { Output.json(ItemListing.json(item)) } else { Output.line(TerminalText.escaped(item.id)) }
    }
}
