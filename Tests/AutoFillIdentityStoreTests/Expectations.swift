// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import AutoFillSecrets
import FoundationEssentials
import Glibc

@testable import AutoFillIdentityStore

/// The code of a store's error, or nil for any other error.
func code(_ error: any Error) -> IdentityStoreError.Code? {
    (error as? IdentityStoreError)?.code
}

/// A folder of its own for one test, in memory where that is possible, gone with it.
final class TemporaryFolder {
    let path: String

    init() {
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/latchkey-tests-XXXXXX\0".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

func writeFile(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// A folder, keys, a generation and a machine, and stores opened with them.
struct StoreFixture: Sendable {
    var folder: String
    let sealKey = SealKey.random()
    let indexKey = BlindIndexKey(SecretBytes.random(count: 32))
    var generation = [UInt8](repeating: 1, count: 16)
    var machine = [UInt8](repeating: 2, count: 16)
    var provider = BundleIdentifier.builtIn

    func open(sealKey: SealKey? = nil, indexKey: BlindIndexKey? = nil, terms: IndexTerms = IndexTerms(.none)) throws
        -> IdentityStore
    {
        guard let indexKey = indexKey ?? self.indexKey else {
            throw IdentityStoreError(.file, "no index key", file: folder)
        }
        return try IdentityStore(
            folder: folder,
            provider: provider,
            sealKey: sealKey ?? self.sealKey,
            indexKey: indexKey,
            generation: generation,
            machine: machine,
            terms: terms
        )
    }

    /// The same keys in another folder.
    func moved(to folder: String) -> StoreFixture {
        var moved = self
        moved.folder = folder
        return moved
    }

    var path: String { "\(folder)/\(provider).identities" }

    static func identity(_ number: Int, host: String? = nil, rank: Int = 0) -> CredentialIdentity {
        CredentialIdentity(
            type: .password,
            service: ServiceIdentifier(kind: .domain, value: host ?? "login.site\(number).example"),
            user: "user\(number)@mail.example",
            recordIdentifier: "record-\(number)",
            rank: rank
        )
    }

    static func terms(_ host: String) -> [String] {
        Origin(written: host).map { IndexTerms(.none).terms(for: $0) } ?? []
    }
}
