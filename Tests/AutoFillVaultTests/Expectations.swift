// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import Glibc
import Synchronization

@testable import AutoFillVault

/// The code of a vault's error, or nil for any other error.
func code(_ error: any Error) -> VaultError.Code? {
    (error as? VaultError)?.code
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

    var vaultPath: String { path + "/" + VaultFile.name }

    /// What lies beside each other in a folder with a vault.
    static let ofAVault = [VaultFile.name, VaultFile.mark(VaultFile.name)]

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let seconds = Mutex(1_700_000_000.0)

    var now: @Sendable () -> Date {
        { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) }
    }

    func advance(days: Double) {
        seconds.withLock { $0 += days * 24 * 3600 }
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

func writeFile(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}

func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
}

/// A folder, a key, a clock, and vaults opened with them.
struct VaultFixture {
    let folder = TemporaryFolder()
    let key = SecretBytes.random(count: 32)
    let clock = TestClock()

    func open() throws -> Vault {
        try Vault(folder: folder.path, key: key, now: clock.now)
    }

    /// Opens the vault every few days, as a person does who uses it.
    func use(days: Int) throws {
        for _ in 0..<days / 5 {
            clock.advance(days: 5)
            try open().close()
        }
    }

    static func item(
        _ number: Int,
        services: [String]? = nil,
        password: String? = nil,
        notes: String = ""
    ) -> NewItem {
        NewItem(
            services: services ?? ["site\(number).example.com"],
            user: "user\(number)@example.com",
            password: SecretBytes(utf8: password ?? "password-\(number)"),
            notes: notes
        )
    }
}
