// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
internal import AutoFillSecrets
internal import Glibc
internal import PropertyLists

/// An app's statement about itself: a property list as on iOS, with one key of ours that names the executable.
///
/// Whether the statement counts depends on its place and on who can change it (`AppPolicy`).
package struct AppEntitlement: Sendable, Hashable {
    /// The reason why a file is not a valid entitlement.
    package struct Refusal: Error, Hashable {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    package let identifier: AppIdentifier
    /// Entries as written, such as `webcredentials:shiny.example.com`; the book of associations parses them.
    package let domains: [String]
    /// The absolute path of the executable, or `nil` for a sandboxed app, which needs none.
    package let executable: String?
    /// Whether its author debugs it (`get-task-allow`).
    package let isDebugBuild: Bool

    /// Maximum size of the file, in bytes.
    package static let fileLimit = PropertyListBounds.standard.size
    package static let suffix = ".entitlements"
    private static let domainLimit = 100

    private enum Key {
        package static let identifier = "application-identifier"
        package static let domains = "com.apple.developer.associated-domains"
        package static let executable = "org.latchkey.application-executable"
        package static let isDebugBuild = "get-task-allow"
    }

    private struct Content {
        package let identifier: String?
        package let domains: [String]?
        package let executable: String?
        package let isDebugBuild: Bool?

        package init(_ bytes: [UInt8]) throws(PropertyListRefusal) {
            let members = try PropertyListMembers(reading: bytes)
            identifier = try members.string(Key.identifier)
            domains = try members.strings(Key.domains)
            executable = try members.string(Key.executable)
            isDebugBuild = try members.boolean(Key.isDebugBuild)
        }
    }

    package init(identifier: AppIdentifier, domains: [String], executable: String? = nil, isDebugBuild: Bool = false) {
        self.identifier = identifier
        self.domains = domains
        self.executable = executable
        self.isDebugBuild = isDebugBuild
    }

    /// Reads a property list.
    package init(propertyList bytes: [UInt8]) throws(Refusal) {
        let content: Content
        do throws(PropertyListRefusal) {
            content = try Content(bytes)
        } catch {
            throw Refusal(reason: "it is not a property list of the expected shape: \(error.reason)")
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
                !executable.pathParts.contains(where: { $0 == ".." || $0 == "." })
            else { throw Refusal(reason: "its org.latchkey.application-executable is not an absolute path") }
        }
        self.init(
            identifier: identifier, domains: domains, executable: content.executable,
            isDebugBuild: content.isDebugBuild == true)
    }

    /// Reads a regular file that is not too large. Returns `nil` if there is none.
    package init?(file path: String) throws(Refusal) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        guard let bytes = SmallFile.read(path, atMost: Self.fileLimit) else {
            throw Refusal(reason: "it cannot be read")
        }
        try self.init(propertyList: bytes)
    }
}
