// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import Foundation
internal import Glibc

/// What an app states about itself: a property list as on iOS, with one key of ours that names the executable.
///
/// It is a statement. Whether it counts depends on where it stands and on who can change that (`AppPolicy`).
struct AppEntitlement: Sendable, Hashable {
    /// Why a file states nothing.
    struct Refusal: Error, Hashable {
        let reason: String
    }

    let identifier: AppIdentifier
    /// Entries as they stand, `webcredentials:shiny.example.com`; the book of associations reads them.
    let domains: [String]
    /// Absolute; nothing for an app in a sandbox, which is its own executable.
    let executable: String?
    /// Whether its author debugs it (`get-task-allow`).
    let isDebugBuild: Bool

    /// In bytes.
    static let fileLimit: off_t = 1 << 20
    static let suffix = ".entitlements"
    private static let domainLimit = 100

    private struct Content: Decodable {
        var identifier: String?
        var domains: [String]?
        var executable: String?
        var isDebugBuild: Bool?

        enum CodingKeys: String, CodingKey {
            case identifier = "application-identifier"
            case domains = "com.apple.developer.associated-domains"
            case executable = "org.latchkey.application-executable"
            case isDebugBuild = "get-task-allow"
        }
    }

    init(identifier: AppIdentifier, domains: [String], executable: String? = nil, isDebugBuild: Bool = false) {
        self.identifier = identifier
        self.domains = domains
        self.executable = executable
        self.isDebugBuild = isDebugBuild
    }

    /// Reads a property list.
    init(propertyList bytes: Data) throws(Refusal) {
        guard let content = try? PropertyListDecoder().decode(Content.self, from: bytes) else {
            throw Refusal(reason: "it is no property list of the expected shape")
        }
        guard let text = content.identifier else { throw Refusal(reason: "it has no application-identifier") }
        guard let identifier = AppIdentifier(text) else {
            throw Refusal(reason: "its application-identifier is not PREFIX.bundle.identifier")
        }
        let domains = content.domains ?? []
        guard domains.count <= Self.domainLimit, domains.allSatisfy({ $0.utf8.count <= 512 }) else {
            throw Refusal(reason: "it states more than \(Self.domainLimit) domains, or one that is too long")
        }
        if let executable = content.executable {
            guard executable.hasPrefix("/"), !executable.contains("//"),
                !executable.split(separator: "/").contains(where: { $0 == ".." || $0 == "." })
            else { throw Refusal(reason: "its org.latchkey.application-executable is no absolute path") }
        }
        self.init(
            identifier: identifier, domains: domains, executable: content.executable,
            isDebugBuild: content.isDebugBuild == true)
    }

    /// Reads a regular file that is not too large; nothing where there is none.
    init?(file path: String) throws(Refusal) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        guard information.st_mode & S_IFMT == S_IFREG, information.st_size <= Self.fileLimit,
            let bytes = FileManager.default.contents(atPath: path)
        else { throw Refusal(reason: "it cannot be read") }
        try self.init(propertyList: bytes)
    }
}
