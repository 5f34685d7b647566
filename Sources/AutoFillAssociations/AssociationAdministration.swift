// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import Glibc

/// What the machine's administrator agreed to: which apps may ask their sites directly (`?mode=managed`).
///
/// `/etc/latchkey/managed-associations.json`, in the terms of the payload `com.apple.associated-domains`:
/// `{"Configuration": [{"ApplicationIdentifier": "…", "AssociatedDomains": ["…"], "EnableDirectDownloads": true}]}`.
/// It counts only where root owns it and every folder above it, and nobody else may write them.
public struct AssociationAdministration: Sendable {
    /// Where the file is, unless a test says otherwise.
    public static let path = "/etc/latchkey/managed-associations.json"

    private struct Content: Decodable {
        struct App: Decodable {
            var identifier: String
            var domains: [String]?
            var allowsDirectDownloads: Bool?

            private enum CodingKeys: String, CodingKey {
                case identifier = "ApplicationIdentifier"
                case domains = "AssociatedDomains"
                case allowsDirectDownloads = "EnableDirectDownloads"
            }
        }

        var apps: [App]

        private enum CodingKeys: String, CodingKey {
            case apps = "Configuration"
        }
    }

    private var apps: [AppIdentifier: Set<String>] = [:]

    /// Nothing is agreed to.
    public init() {}

    /// States what is agreed to: domains as entries write them.
    init(directDownloads: [AppIdentifier: Set<String>]) {
        apps = directDownloads
    }

    /// Reads the file; one that is missing, not the administrator's or not readable agrees to nothing.
    ///
    /// - Parameter owner: Who has to own it.
    public init(contentsOf path: String, owner: UInt32 = 0) {
        var information = stat()
        guard Self.belongs(path, to: owner), lstat(path, &information) == 0, information.st_size <= 1 << 20,
            let bytes = SmallFile.read(path, atMost: 1 << 20),
            let content = try? BoundedJSON.decode(Content.self, from: bytes)
        else { return }
        for app in content.apps where app.allowsDirectDownloads == true {
            guard let identifier = AppIdentifier(app.identifier) else { continue }
            let domains = (app.domains ?? []).compactMap { try? AssociatedDomain(entry: $0) }
            apps[identifier, default: []].formUnion(domains.map(\.domain))
        }
    }

    /// Whether an app may ask a domain's site directly.
    public func allows(_ app: AppIdentifier, _ domain: AssociatedDomain) -> Bool {
        apps[app]?.contains(domain.domain) ?? false
    }

    private static func belongs(_ path: String, to owner: UInt32) -> Bool {
        guard path.hasPrefix("/") else { return false }
        var place = path
        while true {
            var status = stat()
            guard lstat(place, &status) == 0, status.st_uid == owner || status.st_uid == 0, status.st_mode & 0o022 == 0
            else { return false }
            let kind = status.st_mode & S_IFMT
            guard kind == (place == path ? S_IFREG : S_IFDIR) else { return false }
            if place == "/" { return true }
            place = place.pathParent.map { $0.isEmpty ? "/" : $0 } ?? "/"
        }
    }
}
