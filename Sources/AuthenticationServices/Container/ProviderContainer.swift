// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
public import Foundation
internal import Synchronization

/// What a provider and its containing app share and no other provider is given: a folder, a key, and secrets sealed under
/// that key. It takes the place of iOS's containers, app groups and shared keychain.
///
/// The key is there only while Latchkey is unlocked. What is sealed under it is lost when the provider is removed
/// together with its data.
public struct ProviderContainer: Sendable {
    private static let handed = Mutex<ProviderContainer?>(nil)

    /// The bundle identifier of the provider, or the identifier of the app group.
    public let identifier: String
    /// The folder, which exists.
    public let folder: URL
    /// 32 bytes that stay the same.
    public let key: SecretText
    /// The app groups that the entitlements name.
    public let groups: [ProviderContainer]

    /// The container of this provider.
    ///
    /// In an extension it is there from the start (also as `CredentialProviderExtension.launch?.shared`). A containing
    /// app asks Latchkey each time. Throws `ProviderContainerError`: `locked` while Latchkey is locked, `notAvailable`
    /// where it does not run, or does not know this program as the app of an enabled provider.
    public static var shared: ProviderContainer {
        get async throws {
            if let handed = handed.withLock({ $0 }) { return handed }
            return try await open(.shared)
        }
    }

    /// The same for callers that cannot suspend. A containing app waits for the daemon, for half a minute at most.
    package static func current() throws(ProviderContainerError) -> ProviderContainer {
        if let handed = handed.withLock({ $0 }) { return handed }
        return try current(.shared)
    }

    /// The folder, the key and the secrets of an app group; `nil` for one that the entitlements do not name.
    public func group(_ identifier: String) -> ProviderContainer? {
        groups.first { $0.identifier == identifier }
    }

    /// Keeps a secret under a name, in the place of one that was there. When this returns, it survives a power cut.
    ///
    /// Names have 1 to 256 bytes, secrets at most 65,536, all together at most a MiB. Throws `ProviderContainerError`;
    /// nothing has been changed then.
    public func set(_ secret: SecretText, for name: String) throws {
        try file.change { $0[name] = secret.bytes }
    }

    /// Keeps bytes that nobody wipes as a secret under a name; see the variant for `SecretText`.
    public func set(_ data: Data, for name: String) throws {
        try set(SecretText(data.withUnsafeBytes { SecretBytes(copying: $0) }), for: name)
    }

    /// The secret of a name; `nil` where there is none. Throws `ProviderContainerError`.
    public func secret(for name: String) throws -> SecretText? {
        try file.read()[name].map { SecretText($0) }
    }

    /// Removes a secret; false where there was none. Throws `ProviderContainerError`; nothing has been changed then.
    @discardableResult
    public func remove(_ name: String) throws -> Bool {
        try file.change { $0.removeValue(forKey: name) != nil }
    }

    /// The names of all secrets, sorted. Throws `ProviderContainerError`.
    public var names: [String] {
        get throws { try file.read().keys.sorted() }
    }

    /// Removes all secrets, also where they cannot be read any more: the way on from a damaged file.
    public func removeAll() throws {
        try file.remove()
    }

    private var file: SecretFile { SecretFile(folder: folder.path, key: key.bytes) }

    /// The items of `SecItemAdd`, in a file of their own under a key of their own.
    ///
    /// The folder of a group is the app's to list and to empty, so the file is in a hidden one inside of it.
    package var keychainFile: SecretFile {
        SecretFile(
            folder: folder.path, key: key.bytes, ownFolder: ".latchkey-keychain", name: "keychain.latchkey",
            label: "latchkey/1 container keychain")
    }
}

extension ProviderContainer {
    /// What the daemon says, or why it cannot be right.
    init(identifier: String, folder: String, key: WireSecret, groups: [GroupStatement]) throws(WireError) {
        guard BundleIdentifier(identifier) != nil else {
            throw WireError(.invalidParams, "The identifier is not a bundle identifier.")
        }
        guard folder.hasPrefix("/") else {
            throw WireError(.invalidParams, "The container is not an absolute path.")
        }
        guard let key = Base64.decode(key.bytes), key.count == 32 else {
            throw WireError(.invalidParams, "The key is not the base64 of 32 bytes.")
        }
        self.identifier = identifier
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        self.key = SecretText(key)
        var containers: [ProviderContainer] = []
        for group in groups {
            containers.append(
                try ProviderContainer(identifier: group.identifier, folder: group.folder, key: group.key, groups: [])
            )
        }
        self.groups = containers
    }

    /// From now on this is the container of the process.
    static func hand(_ container: ProviderContainer) {
        handed.withLock { $0 = container }
    }

    /// Asks the daemon for the container of a containing app.
    static func open(_ connection: ContainingAppConnection) async throws -> ProviderContainer {
        do {
            return try ProviderContainer(try await connection.open())
        } catch {
            throw ProviderContainerError(asking: error)
        }
    }

    /// Asks the daemon, and blocks until it has answered.
    static func current(_ connection: ContainingAppConnection) throws(ProviderContainerError) -> ProviderContainer {
        do {
            return try ProviderContainer(try connection.openAndWait())
        } catch {
            throw ProviderContainerError(asking: error)
        }
    }

    private init(_ answer: ContainingApp.Open.Answer) throws(WireError) {
        try self.init(
            identifier: answer.identifier, folder: answer.container, key: answer.key, groups: answer.groups)
    }
}

extension ProviderContainer: CustomStringConvertible, CustomReflectable {
    /// The identifier alone.
    public var description: String { "ProviderContainer(\(identifier))" }

    /// A mirror without children, so that `dump` and test failures show no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
