// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation
internal import PassStore

/// Where removed entries of a store without git go: encrypted as they were, under names that say nothing, for 30 days.
struct Trash: Sendable {
    private static let place = Array("org.latchkey.pass trash 1".utf8)
    private static let agesPlace = Array("org.latchkey.pass trash ages 1".utf8)

    private struct Removed: Codable {
        let name: String
        let removed: Int64
        let bytes: [UInt8]
    }

    private let folder: URL
    private let key: SealKey?

    init(container: URL, key: SecretText) {
        folder = container.appendingPathComponent("trash", isDirectory: true)
        self.key = SealKey(key.bytes)?.derive(label: "latchkey-pass/1 trash", salt: [])
    }

    /// Takes an entry in. When this returns, it is on disk.
    func keep(_ bytes: [UInt8], of name: EntryName, at time: Date) throws {
        guard let key else { throw CredentialManagingError(.internalError, "The container's key is not a key.") }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        let removed = Removed(name: name.text, removed: Int64(time.timeIntervalSince1970), bytes: bytes)
        let sealed = key.seal([UInt8](try JSONEncoder().encode(removed)), associated: Self.place)
        try AtomicFile.write(sealed, to: folder.appendingPathComponent(UUID().uuidString.lowercased()).path)
    }

    /// What is in it, the last one first, each name once.
    func entries() -> [RemovedEntry] {
        var seen: Set<EntryName> = []
        return all().compactMap { file in
            guard let name = EntryName(file.removed.name), seen.insert(name).inserted else { return nil }
            return RemovedEntry(name: name, removed: file.removed.removed)
        }
    }

    /// The bytes of the last entry of a name.
    func bytes(of name: EntryName) -> [UInt8]? {
        all().first { EntryName($0.removed.name) == name }?.removed.bytes
    }

    /// Forgets the last entry of a name, which has been restored.
    func forget(_ name: EntryName) {
        guard let file = all().first(where: { EntryName($0.removed.name) == name }) else { return }
        try? FileManager.default.removeItem(at: file.url)
    }

    /// Throws away what has been here for `RetentionAges.span`. What cannot be written now is counted another time.
    func empty(at time: Date) {
        guard let key else { return }
        let files = all()
        let waiting = files.map {
            ($0.url.lastPathComponent, Date(timeIntervalSince1970: TimeInterval($0.removed.removed)))
        }
        var ages = ages(key)
        guard let over = ages.count(Dictionary(waiting) { $1 }, at: time),
            (try? AtomicFile.write(key.seal(ages.encoded, associated: Self.agesPlace), to: agesFile.path)) != nil
        else { return }
        for file in files where over.contains(file.url.lastPathComponent) {
            try? FileManager.default.removeItem(at: file.url)
        }
    }

    private var agesFile: URL { folder.appendingPathComponent("ages") }

    /// What was counted before. Where it is missing or damaged, everything begins to wait anew.
    private func ages(_ key: SealKey) -> RetentionAges {
        guard let data = try? Data(contentsOf: agesFile),
            let opened = try? key.open([UInt8](data), associated: Self.agesPlace)
        else { return RetentionAges() }
        return (try? RetentionAges(decoding: opened)) ?? RetentionAges()
    }

    private func all() -> [(url: URL, removed: Removed)] {
        guard let key else { return [] }
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap { url in
            guard let data = try? Data(contentsOf: url),
                let opened = try? key.open([UInt8](data), associated: Self.place),
                let removed = try? BoundedJSON.decode(Removed.self, from: opened.withUnsafeBytes { Data($0) })
            else { return nil }
            return (url, removed)
        }.sorted { $0.removed.removed > $1.removed.removed }
    }
}
