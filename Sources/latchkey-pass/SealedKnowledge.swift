// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation
internal import PassStore

/// The file in the container that holds what is known of entries, sealed under the container's key.
struct SealedKnowledge: Sendable {
    private static let place = Array("org.latchkey.pass knowledge 1".utf8)

    private let path: String
    private let key: SealKey?

    init(container: URL, key: SecretText) {
        path = container.appendingPathComponent("knowledge.sealed").path
        self.key = SealKey(key.bytes)?.derive(label: "latchkey-pass/1 knowledge", salt: [])
    }

    /// What is known. A file that does not open is like none: everything in it can be found out again.
    func read() -> EntryKnowledge {
        guard let key, let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
            let opened = try? key.open([UInt8](data), associated: Self.place)
        else { return EntryKnowledge() }
        let plain = opened.withUnsafeBytes { Data($0) }
        return (try? BoundedJSON.decode(EntryKnowledge.self, from: plain)) ?? EntryKnowledge()
    }

    /// Keeps what is known; a failure costs finding it out again.
    func write(_ knowledge: EntryKnowledge) {
        guard let key, let data = try? JSONEncoder().encode(knowledge) else { return }
        try? AtomicFile.write(key.seal([UInt8](data), associated: Self.place), to: path)
    }
}
