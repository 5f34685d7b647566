// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the name of an entry says about its service and its user, without decrypting anything.
///
/// The layouts, in the order in which they are tried; `web/` stands for any folders in front:
///
/// 1. `web/example.com/login.example.com`: the folder names a host and the entry one within it: the entry is the service.
/// 2. `web/site/login` (or `password`, `pass`, `credentials`, `account`): the folder is the service, the user is inside.
/// 3. `web/site/user`: the nearest folder that reads as a host is the service, the entry is the user, be it an e-mail
///    address or a name with dots.
/// 4. `web/user@site`: split at the last `@`.
/// 5. `web/site`: the service, the user is inside.
/// 6. everything else: what it is for stands inside, if anywhere.
///
/// A `user:` line inside is stronger than the name, which then was a label only; `url:` lines add services.
public struct EntryLayout: Hashable, Sendable {
    /// Names that say what is inside and not whose it is.
    static let labels: Set<String> = ["login", "password", "pass", "credentials", "account"]

    /// What the name says it is for.
    public let service: EntryService?
    /// Whom the name says it belongs to.
    public let user: String?

    /// Reads a name.
    public init(_ name: EntryName) {
        let title = name.title
        let own = EntryService(name: title)
        if let folder = name.folders.reversed().lazy.compactMap({ EntryService(name: $0) }).first {
            if let own, own.isWithin(folder) {
                (service, user) = (own, nil)
            } else {
                (service, user) = (folder, Self.labels.contains(title.lowercased()) ? nil : title)
            }
        } else if let at = title.lastIndex(of: "@"), at > title.startIndex,
            let site = EntryService(name: String(title[title.index(after: at)...]))
        {
            (service, user) = (site, String(title[..<at]))
        } else {
            (service, user) = (own, nil)
        }
    }

}
