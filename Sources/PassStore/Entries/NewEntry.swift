// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// An entry that is to be made, in the layout `site/user`.
public struct NewEntry: Sendable {
    /// Its name.
    public let name: EntryName
    /// What is to stand inside.
    public let text: EntryText

    /// Names an entry after its first service and its user. What the name cannot say, lines inside do.
    ///
    /// - Throws: `PassStoreError` with `invalid` when a service is none, or the entry would be read back as another.
    public init(
        services: [String], user: String, password: SecretBytes, notes: SecretBytes?
    ) throws(PassStoreError) {
        guard let first = services.first, services.count <= 64 else {
            throw PassStoreError(.invalid, "An entry needs a service, and at most 64 of them.")
        }
        let wanted = try services.map { text throws(PassStoreError) in try Self.service(text) }
        guard user.utf8.count <= 1024, !user.unicodeScalars.contains(where: NameFault.controls) else {
            throw PassStoreError(.invalid, "The user's name cannot be kept.")
        }
        // An http service cannot stand in a name, which is read as https.
        let site = wanted[0].name
        let part = Self.part(for: user)
        guard let name = EntryName(user.isEmpty ? site : site + "/" + part) else {
            throw PassStoreError(.invalid, "There can be no entry of this name.")
        }
        let layout = EntryLayout(name)
        var urls: [String] = []
        for (text, service) in zip(services, wanted) where service != layout.service || text.contains("://") {
            urls.append(text)
        }
        self.name = name
        text = try .new(
            password: password, user: layout.user == user || user.isEmpty ? nil : user, urls: urls, notes: notes)
        guard !wanted[0].isPlain else {
            throw PassStoreError(
                .invalid, "\(first) is not encrypted: the name of an entry stands for https.",
                hint: "Make the entry with pass, in a folder that is not a host, and give it a url: line."
            )
        }
    }

    /// What a text is for.
    public static func service(_ text: String) throws(PassStoreError) -> EntryService {
        guard text.utf8.count <= 1024, !text.unicodeScalars.contains(where: NameFault.controls),
            let service = EntryService(line: text)
        else { throw PassStoreError(.invalid, "A service has to be a host or an http or https URL.") }
        return service
    }

    /// The user as a part of a path: what cannot stand there is replaced, and a line inside says the rest.
    private static func part(for user: String) -> String {
        var part = String(user.map { $0 == "/" ? "_" : $0 })
        while part.hasPrefix(".") { part = "_" + part.dropFirst() }
        while part.utf8.count > 200 { part.removeLast() }
        return part
    }
}
