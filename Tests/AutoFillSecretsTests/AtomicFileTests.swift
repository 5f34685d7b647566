// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import ProcessTesting
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
            return error?.systemError == ENOENT && error?.context?.contains("/missing") == true
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

    // MARK: Faults

    /// Writes 2 over 1 while calls fail, and returns the error.
    private func replace(_ fault: @escaping @Sendable (FileCalls.Call, String) -> Int32?) throws -> SecretsError? {
        try AtomicFile.write([1], to: path)
        return FileCalls.$testOnlyFault.withValue(fault) {
            do {
                try AtomicFile.write([2], to: path)
                return nil
            } catch {
                return error as? SecretsError
            }
        }
    }

    @Test(arguments: FileCalls.Call.allCases)
    func whateverCallFailsOnceTheOldFileIsThereOrTheNewOneIsAcknowledged(call: FileCalls.Call) throws {
        for number in 1...3 {
            let faults = FileFaults(call, number)
            let error = try replace(faults.next)
            #expect(error?.code == (error == nil ? nil : .file))
            #expect(try content() == [error == nil ? 2 : 1])
            // What cannot be removed is found by the next start.
            #expect(AtomicFile.removeLeft(in: [folder.path], depth: 0) == [])
            #expect(folder.names == ["file"])
            // A call that did not come has no fault; all but one kind come.
            #expect(faults.count >= number || error == nil)
            #expect(number > 1 || faults.count > 0 || call == .truncate)
        }
    }

    @Test func aFolderThatIsNeverOnDiskIsNotKnownToHoldTheOldFile() throws {
        let faults = FileFaults(.synchronize, 2, goesOn: true)
        #expect(try replace(faults.next)?.code == .unsettled)
        #expect(try content() == [1])
        #expect(folder.names == ["file"])
    }

    @Test func anOldFileThatCannotBePutBackIsNotKnownToBeThere() throws {
        let (syncs, renames) = (FileFaults(.synchronize, 2), FileFaults(.rename, 2))
        #expect(try replace { syncs.next($0, $1) ?? renames.next($0, $1) }?.code == .unsettled)
        #expect(try content() == [2])
        #expect(AtomicFile.removeLeft(in: [folder.path], depth: 0) == [])
        #expect(folder.names == ["file"])
    }

    @Test func aNewFileIsTakenAwayWhereTheFolderIsNotOnDisk() {
        let faults = FileFaults(.synchronize, 2)
        FileCalls.$testOnlyFault.withValue(faults.next) {
            #expect { try AtomicFile.write([1], to: path) } throws: { ($0 as? SecretsError)?.code == .file }
        }
        #expect(folder.names == [])
    }

    @Test func aFileSystemWithoutSecondNamesDoesNotKnow() throws {
        let syncs = FileFaults(.synchronize, 2)
        #expect(try replace { $0 == .link ? EPERM : syncs.next($0, $1) }?.code == .unsettled)
        #expect(try replace { call, _ in call == .link ? EOPNOTSUPP : nil } == nil)
    }

    // MARK: What kills leave

    @Test func removesWhatKillsHaveLeftAndNothingElse() throws {
        let below = folder.path + "/containers/one"
        for folder in [folder.path + "/containers", below, below + "/deep"] { #expect(mkdir(folder, 0o700) == 0) }
        let left = [folder.path, below, below + "/deep"].map(AtomicFile.temporaryName)
        let journal = below + "/.latchkey-1.tmp-journal"
        let others = [".latchkey-note", "x.tmp", ".latchkey-keychain.tmp.old"].map { below + "/" + $0 }
        for path in left + [journal] + others { #expect(try AtomicFile.createEmpty(at: path)) }
        #expect(symlink(below, folder.path + "/link") == 0)
        // One that is being written.
        let (written, file) = try AtomicFile.makeTemporary(in: below)
        defer { close(file) }
        #expect(AtomicFile.removeLeft(in: [folder.path], depth: 2) == [])
        for path in left.dropLast() + [journal] { #expect(access(path, F_OK) != 0) }
        for path in [left[2], written] + others { #expect(access(path, F_OK) == 0) }
    }
}
