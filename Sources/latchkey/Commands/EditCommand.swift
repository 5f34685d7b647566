// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// `latchkey edit ITEM [USER]`
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an item. Only what you name is changed.",
        discussion: "An earlier password stays in the item's history. "
            + "To use it in more places takes the passphrase.")

    @OptionGroup var arguments: ItemArguments
    @Option(name: .customLong("service"), help: "Replace the services by this one. Can be repeated.")
    var services: [String] = []
    @Option(name: .customLong("add-service"), help: "Add a service. Can be repeated.") var added: [String] = []
    @Option(name: .customLong("remove-service"), help: "Take a service away. Can be repeated.")
    var removed: [String] = []
    @Option(help: "The new user name.") var newUser: String?
    @Flag(help: "Give it a new password, from standard input or the terminal.") var newPassword = false
    @Option(help: "Read the new password from a file, or from standard input (-).") var passwordFile: String?
    @OptionGroup var notes: NotesOptions
    @OptionGroup var authenticator: AuthenticatorOptions
    @Flag(help: "Take the set-up key of its authenticator away.") var noOtp = false
    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Offer it to exactly its own hosts, or also, labelled, to others of their sites.")
    var strict: Bool?
    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "List it among the favorites, or no longer.")
    var favorite: Bool?
    @Option(name: .customLong("add-tag"), help: "Add a word of your own for it. Can be repeated.")
    var addedTags: [String] = []
    @Option(name: .customLong("remove-tag"), help: "Take such a word away. Can be repeated.")
    var removedTags: [String] = []
    @Option(help: "What you call it; an empty text takes the title away.") var title: String?
    @Flag(help: "Print the item as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        let names = !services.isEmpty || !added.isEmpty || !removed.isEmpty
        let code = authenticator.isGiven || noOtp
        guard !(authenticator.isGiven && noOtp) else {
            throw ValidationError("--no-otp takes the set-up key away; name no other with it.")
        }
        let labels = title != nil || favorite != nil || !addedTags.isEmpty || !removedTags.isEmpty
        let account = newUser != nil || newPassword || passwordFile != nil || notes.isGiven || strict != nil
        guard names || code || labels || account else {
            throw ValidationError("Name the change, for example --new-user or --new-password.")
        }
    }

    func run() async throws {
        let source = newPassword || passwordFile != nil ? SecretSource(file: passwordFile) : nil
        try notes.requireInput(besides: source, authenticator)
        try authenticator.requireInput(besides: source)
        let (services, remarks) = try ItemService.read(services)
        let (added, others) = try ItemService.read(added)
        let daemon = try await DaemonConnection.open()
        try await daemon.requireUnlocked()
        let item = try await arguments.name.resolve(daemon)
        var changes = ItemChanges(id: item.id, user: newUser, strict: strict, favorite: favorite, title: title)
        guard item.tags != nil || (title == nil && favorite == nil && addedTags.isEmpty && removedTags.isEmpty) else {
            throw CommandFailure(.invalidInput, "The provider of this account keeps no titles, favorites and tags.")
        }
        changes.services = try Self.services(
            of: item, title: title ?? item.title, replacing: services, adding: added, removing: removed)
        changes.password = try source.map {
            WireSecret(
                try $0.read(
                    "New password for \(item.spoken)", option: "--password-file",
                    isNew: true))
        }
        changes.authenticator = try authenticator.read().map(WireSecret.init)
        changes.notes = try notes.read().map(WireSecret.init)
        if !(addedTags.isEmpty && removedTags.isEmpty) {
            // As they are now: the questions above may have taken a while.
            let now = try await daemon.call(Items.Get.self, .init(id: item.id)).item
            changes.tags = try Self.tags(of: now, adding: addedTags, removing: removedTags)
        }
        if noOtp { changes.authenticator = WireSecret(SecretBytes(count: 0)) }
        let edited = try await daemon.authenticated(Items.Edit.self, changes, passphrase).item
        for remark in remarks + others { Output.note(remark) }
        if json { return Output.json(ItemListing.json(edited)) }
        Output.note("Changed \(edited.spoken).")
    }

    /// The tags afterwards, or nothing when they stay. Their letters' case does not tell them apart.
    static func tags(of item: Item, adding: [String], removing: [String]) throws(CommandFailure) -> [String]? {
        guard !(adding.isEmpty && removing.isEmpty) else { return nil }
        var tags = item.tags ?? []
        for tag in removing {
            guard let index = tags.firstIndex(where: { $0.lowercased() == tag.lowercased() }) else {
                throw CommandFailure(
                    .notFound, "\(tag) is not a tag of this item.",
                    hint: tags.isEmpty ? "It has none." : "It has \(tags.joined(separator: ", ")).")
            }
            tags.remove(at: index)
        }
        for tag in adding where !tags.contains(where: { $0.lowercased() == tag.lowercased() }) { tags.append(tag) }
        return tags
    }

    /// The services afterwards, or nothing when they stay.
    static func services(
        of item: Item,
        title: String?,
        replacing: [String],
        adding: [String],
        removing: [String]
    ) throws(CommandFailure) -> [String]? {
        guard !(replacing.isEmpty && adding.isEmpty && removing.isEmpty) else { return nil }
        var services = replacing.isEmpty ? item.services : replacing
        for service in adding where !services.contains(service) { services.append(service) }
        for service in removing {
            guard let index = services.firstIndex(of: service) else {
                throw CommandFailure(
                    .notFound, "\(service) is not a service of this item.",
                    hint: "It has \(services.joined(separator: ", ")).")
            }
            services.remove(at: index)
        }
        guard !services.isEmpty || title?.isEmpty == false else {
            throw CommandFailure(
                .invalidInput, "An item needs a service or a title.",
                hint: "--title gives it one; `latchkey remove` removes the whole item.")
        }
        return services
    }
}
