// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import AutoFillSecrets

@Suite struct AtomicFileTests {
    let folder = TemporaryFolder()

    private var path: String { folder.path + "/file" }

    private func content() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func mode() -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func writesAndReplaces() throws {
        try AtomicFile.write([1, 2, 3], to: path)
        #expect(try content() == [1, 2, 3])
        #expect(mode() == 0o600)
        try AtomicFile.write([], to: path, mode: 0o644)
        #expect(try content() == [])
        #expect(mode() == 0o644)
        #expect(folder.names == ["file"])
    }

    @Test func leavesNothingBehindWhenItFails() throws {
        #expect(mkdir(path, 0o700) == 0)
        #expect { try AtomicFile.write([1], to: path) } throws: { error in
            let error = error as? SecretsError
            return error?.code == .file && error?.systemError == EISDIR && error?.context == path
        }
        #expect(folder.names == ["file"])
        #expect(rmdir(path) == 0)
    }

    @Test func leavesAloneWhatIsNoFile() throws {
        #expect(mkfifo(path, 0o600) == 0)
        #expect { try AtomicFile.write([1], to: path) } throws: { error in
            (error as? SecretsError)?.systemError == EEXIST
        }
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        #expect(folder.names == ["file"])
    }

    @Test func namesThePathAndTheErrno() {
        #expect { try AtomicFile.write([1], to: folder.path + "/missing/file") } throws: { error in
            let error = error as? SecretsError
            return error?.systemError == ENOENT && error?.context?.contains("/missing/") == true
        }
    }

    @Test func replacesALinkAndNotItsTarget() throws {
        let target = folder.path + "/target"
        try AtomicFile.write([9], to: target)
        #expect(symlink(target, path) == 0)
        try AtomicFile.write([1], to: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data([9]))
        #expect(try content() == [1])
    }

    @Test func anEmptyFileIsMadeOnce() throws {
        #expect(try AtomicFile.createEmpty(at: path))
        #expect(mode() == 0o600)
        #expect(try !AtomicFile.createEmpty(at: path))
        #expect(throws: SecretsError.self) { try AtomicFile.createEmpty(at: folder.path + "/missing/file") }
    }
}
