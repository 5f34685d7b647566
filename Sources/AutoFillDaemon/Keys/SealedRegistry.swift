// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Crypto
internal import Foundation

/// What the daemon has to remember and nobody else may change or read: providers and their salts, which credential went
/// to which origin, and where the audit log stood. `$XDG_DATA_HOME/latchkey/registry`, sealed under the device key.
struct SealedRegistry: Sendable {
    /// An installed provider.
    struct Provider: Codable, Sendable, Equatable {
        var identifier: String
        /// Random, made at install: a provider that is removed and installed again has another container key.
        var salt: Data
    }

    private struct Content: Codable {
        var version = 1
        var providers: [Provider] = []
        /// Digests of (origin, provider, record) that were released before.
        var released: [Data] = []
        var audit: AuditLog.Head?
    }

    private static let associated = Array("latchkey registry v1".utf8)
    /// Older releases are forgotten beyond this many, and then confirmed once more.
    private static let releasedLimit = 5_000

    private let path: String
    private let key: SealKey
    private var content: Content
    private var isChanged = false

    /// Makes a new registry with the built-in provider in it, and keeps it.
    init(creatingAt path: String, key: SealKey) throws {
        self.path = path
        self.key = key
        content = Content()
        content.providers = [Provider(identifier: BundleIdentifier.builtIn.rawValue, salt: Self.makeSalt())]
        try save()
    }

    /// Opens the registry; throws `storageFailed` when it is missing, damaged or sealed under another key.
    init(contentsOf path: String, key: SealKey) throws {
        self.path = path
        self.key = key
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw WireError(.storageFailed, "\(path) is missing.", hint: "Restore a backup.")
        }
        guard let plain = try? key.open(Array(bytes), associated: Self.associated),
            let content = plain.withUnsafeBytes({ try? JSONDecoder().decode(Content.self, from: Data($0)) })
        else {
            throw WireError(.storageFailed, "\(path) is damaged.", hint: "Restore a backup.")
        }
        guard content.version == 1 else {
            throw WireError(.unsupportedVersion, "\(path) was written by a newer Latchkey.")
        }
        self.content = content
    }

    func provider(_ identifier: BundleIdentifier) -> Provider? {
        content.providers.first { $0.identifier == identifier.rawValue }
    }

    var audit: AuditLog.Head? { content.audit }

    /// Keeps where the audit log stands, and what was remembered since.
    mutating func setAudit(_ head: AuditLog.Head?) throws {
        guard isChanged || content.audit != head else { return }
        content.audit = head
        try save()
        isChanged = false
    }

    func wasReleased(_ digest: Data) -> Bool {
        content.released.contains(digest)
    }

    /// Remembers a release; `setAudit` keeps it.
    mutating func noteReleased(_ digest: Data) {
        guard !content.released.contains(digest) else { return }
        content.released.append(digest)
        if content.released.count > Self.releasedLimit { content.released.removeFirst() }
        isChanged = true
    }

    /// The name under which a release is remembered: it tells nothing about the credential.
    static func releaseDigest(origin: String, provider: BundleIdentifier, identity: CredentialIdentity) -> Data {
        var hash = SHA256()
        for part in [origin, provider.rawValue, identity.recordIdentifier ?? "", identity.user, identity.service.value]
        {
            hash.update(data: withUnsafeBytes(of: UInt64(part.utf8.count)) { Data($0) })
            hash.update(data: Data(part.utf8))
        }
        return Data(hash.finalize())
    }

    private static func makeSalt() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private func save() throws {
        let plain = try JSONEncoder().encode(content)
        let sealed = key.seal(Array(plain), associated: Self.associated)
        try AtomicFile.write(sealed, to: path)
    }
}
