// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
package import AutoFillIPC
internal import AutoFillNetwork
internal import AutoFillSecrets
internal import PropertyLists
internal import ShownText

/// The rights that a bundle's entitlements file requests (section 7 of `docs/protocol.md`, "Bundles").
package struct Entitlements: Sendable, Equatable {
    /// The reason why an entitlements file is refused.
    package struct Refusal: Error, Equatable {
        package let reason: String
    }

    /// `com.apple.developer.authentication-services.autofill-credential-provider`
    package var isCredentialProvider = false
    /// `get-task-allow`: a debug build.
    package var isDebug = false
    package var grants = GrantsStatement()

    private enum Key {
        static let isCredentialProvider =
            "com.apple.developer.authentication-services.autofill-credential-provider"
        static let isDebug = "get-task-allow"
        static let network = "com.apple.security.network.client"
        static let hosts = "org.latchkey.security.network.hosts"
        static let groups = "com.apple.security.application-groups"
        static let readOnly = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
        static let readWrite = "com.apple.security.temporary-exception.files.home-relative-path.read-write"
        static let sockets = "org.latchkey.security.sockets"
    }

    private struct Content {
        let isCredentialProvider: Bool?
        let isDebug: Bool?
        let network: Bool?
        let hosts: [String]?
        let groups: [String]?
        let readOnly: [String]?
        let readWrite: [String]?
        let sockets: [String]?

        init(_ bytes: [UInt8]) throws(PropertyListRefusal) {
            let members = try PropertyListMembers(reading: bytes)
            isCredentialProvider = try members.boolean(Key.isCredentialProvider)
            isDebug = try members.boolean(Key.isDebug)
            network = try members.boolean(Key.network)
            hosts = try members.strings(Key.hosts)
            groups = try members.strings(Key.groups)
            readOnly = try members.strings(Key.readOnly)
            readWrite = try members.strings(Key.readWrite)
            sockets = try members.strings(Key.sockets)
        }
    }

    /// Limits for what the user can be expected to read before agreeing.
    package static let maximumHosts = 8
    package static let maximumPlaces = 32

    package init() {}

    /// Reads a property list. Each request in it has to be one that can be shown to the user and granted.
    ///
    /// - Parameter bytes: The content of the file.
    package init(propertyList bytes: [UInt8]) throws(Refusal) {
        let content: Content
        do throws(PropertyListRefusal) {
            content = try Content(bytes)
        } catch {
            throw Refusal(
                reason: "its entitlements file is not a property list of the expected shape: \(error.reason)")
        }
        isCredentialProvider = content.isCredentialProvider == true
        isDebug = content.isDebug == true
        grants.network = content.network == true
        guard content.hosts?.count ?? 0 <= Self.maximumHosts else {
            throw Refusal(reason: "it asks for too many hosts")
        }
        for host in content.hosts ?? [] {
            guard let place = HostAndPort(host) else {
                throw Refusal(reason: "it asks for a host that is not written as NAME:PORT")
            }
            grants.hosts.append(place.description)
        }
        let places = [content.readOnly, content.readWrite, content.sockets].reduce(0) { $0 + ($1?.count ?? 0) }
        guard places <= Self.maximumPlaces else {
            throw Refusal(reason: "it asks for more than \(Self.maximumPlaces) folders and sockets")
        }
        for path in content.readOnly ?? [] {
            grants.folders.append(FolderGrant(path: try Self.homeRelative(path), write: false))
        }
        for path in content.readWrite ?? [] {
            grants.folders.append(FolderGrant(path: try Self.homeRelative(path), write: true))
        }
        for socket in content.sockets ?? [] {
            grants.sockets.append(try Self.socket(socket))
        }
        for group in content.groups ?? [] {
            guard let identifier = BundleName(group) else {
                throw Refusal(reason: "an app group has a name that cannot be used")
            }
            grants.groups.append(identifier.text)
        }
        try refuseNested()
    }

    /// Refuses a path inside a folder that the provider can change: it could replace the path by a link and so be given the target.
    private func refuseNested() throws(Refusal) {
        let changeable = grants.folders.filter(\.write).map { "~/" + $0.path } + grants.sockets
        for path in grants.folders.map({ "~/" + $0.path }) + grants.sockets {
            guard let outer = changeable.first(where: { path.isBelow($0) }) else { continue }
            throw Refusal(reason: "it asks for \(path), which is inside \(outer), which it can change")
        }
    }

    /// An app group's name. It becomes the name of a folder, so only the characters of bundle identifiers are allowed.
    private struct BundleName {
        let text: String

        init?(_ text: String) {
            guard BundleIdentifier(text) != nil else { return nil }
            self.text = text
        }
    }

    /// Reads a path relative to the home, with or without the leading slash that Apple writes.
    ///
    /// The whole home and paths that lead out of it are refused.
    private static func homeRelative(_ path: String) throws(Refusal) -> String {
        let components = path.pathParts
        guard !components.isEmpty, !components.contains(where: { $0 == ".." || $0 == "." }) else {
            throw Refusal(reason: "it asks for the whole home, or for a folder outside it")
        }
        let joined = components.joined(separator: "/")
        guard joined.showsItsFolders,
            components.allSatisfy({ DisplayText($0).text.utf8.elementsEqual($0.utf8) })
        else {
            throw Refusal(reason: "it asks for a folder whose name cannot be shown")
        }
        return joined
    }

    /// Reads a socket path, `~/…` or `$XDG_RUNTIME_DIR/…`.
    ///
    /// The session bus and the service manager are refused, because either would start any program for the provider.
    private static func socket(_ path: String) throws(Refusal) -> String {
        for prefix in ["~/", "$XDG_RUNTIME_DIR/"] where path.hasPrefix(prefix) {
            let rest = try homeRelative(String(path.dropFirst(prefix.count)))
            let top = rest.pathParts.first ?? rest
            if prefix.hasPrefix("$"), ["bus", "systemd", "latchkey", "dbus-1", "at-spi"].contains(top) {
                throw Refusal(reason: "it asks for the socket \(path), which no provider is given")
            }
            return prefix + rest
        }
        throw Refusal(reason: "a socket it asks for is neither in the home nor in the runtime directory")
    }
}
