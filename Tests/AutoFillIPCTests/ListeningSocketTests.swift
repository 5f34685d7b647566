// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Glibc
import Testing

@testable import AutoFillIPC

@Suite struct ListeningSocketTests {
    private let folder: TemporaryFolder
    private let directories: Directories

    init() throws {
        folder = try TemporaryFolder()
        directories = try #require(folder.directories)
    }

    private func mode(_ path: String) -> mode_t {
        var information = stat()
        guard lstat(path, &information) == 0 else { return 0 }
        return information.st_mode & 0o777
    }

    /// A socket bound to a path, as a daemon that was killed leaves it.
    private func leaveSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(UnixAddress.bind(descriptor, path))
    }

    @Test func clientReachesTheDaemonOfItsOwnUser() async throws {
        let listening = try ListeningSocket(in: directories)
        defer { listening.close() }
        async let accepted = blocking { listening.accept() }
        let client = try #require(try DaemonConnector.connect(directories))
        let served = try #require(try await accepted)
        try served.send(.init(utf8: "hello"))
        #expect(try await blocking { try client.receive()?.text } == "hello")
        #expect(served.peer()?.process == getpid())
        #expect(served.peer()?.user == geteuid())
    }

    @Test("S25: folder and socket are for this user alone")
    func folderAndSocketAreForThisUserAlone() throws {
        let listening = try ListeningSocket(in: directories)
        defer { listening.close() }
        #expect(mode(directories.runtime) == 0o700)
        #expect(mode(directories.socket) == 0o600)
    }

    @Test("S25: a second daemon is refused and leaves the first one's socket alone")
    func secondDaemonIsRefused() throws {
        let first = try ListeningSocket(in: directories)
        defer { first.close() }
        #expect { try ListeningSocket(in: directories) } throws: { code($0) == .alreadyExists }
        #expect(try DaemonConnector.connect(directories) != nil)
    }

    @Test("S25: a socket of the service manager's is no way around the lock")
    func activatedSecondDaemonIsRefused() throws {
        let first = try ListeningSocket(in: directories)
        defer { first.close() }
        let pair = SocketPair()
        defer { close(pair.near) }
        #expect { try ListeningSocket(activated: pair.near, in: directories) } throws: { code($0) == .alreadyExists }
    }

    @Test("S25: a daemon by hand beside an activated one is refused")
    func daemonBesideAnActivatedOneIsRefused() throws {
        let pair = SocketPair()
        defer { close(pair.near) }
        let first = try ListeningSocket(activated: pair.near, in: directories)
        #expect { try ListeningSocket(in: directories) } throws: { code($0) == .alreadyExists }
        first.close()
    }

    @Test func closingLeavesTheServiceManagersSocketListening() throws {
        try Directories.makePrivate(directories.runtime)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(UnixAddress.bind(descriptor, directories.socket) && listen(descriptor, 4) == 0)
        try ListeningSocket(activated: descriptor, in: directories).close()
        #expect(try DaemonConnector.connect(directories) != nil)
    }

    @Test func socketThatAKilledDaemonLeftIsReplaced() throws {
        try Directories.makePrivate(directories.runtime)
        try leaveSocket(at: directories.socket)
        #expect(try DaemonConnector.connect(directories) == nil)
        let listening = try ListeningSocket(in: directories)
        defer { listening.close() }
        #expect(try DaemonConnector.connect(directories) != nil)
    }

    @Test func closeWakesAcceptAndTakesTheSocketAway() async throws {
        let listening = try ListeningSocket(in: directories)
        async let accepted = blocking { listening.accept() }
        listening.close()
        #expect(try await accepted == nil)
        #expect(!FileManager.default.fileExists(atPath: directories.socket))
        #expect(try DaemonConnector.connect(directories) == nil)
    }

    @Test("S25: a folder that is open to others is closed to them", arguments: [0o755, 0o777, 0o701] as [mode_t])
    func openFolderIsClosed(mode: mode_t) throws {
        try Directories.makePrivate(directories.runtime)
        try #require(chmod(directories.runtime, mode) == 0)
        let listening = try ListeningSocket(in: directories)
        defer { listening.close() }
        #expect(self.mode(directories.runtime) == 0o700)
    }

    @Test("S25: a link in the place of the folder is refused")
    func linkInThePlaceOfTheFolderIsRefused() throws {
        try Directories.makePrivate(folder.path + "/elsewhere")
        try Directories.makePrivate(folder.path + "/run")
        try #require(symlink(folder.path + "/elsewhere", directories.runtime) == 0)
        #expect { try ListeningSocket(in: directories) } throws: { code($0) == .notPermitted }
    }

    @Test func fileInThePlaceOfTheFolderIsRefused() throws {
        try Directories.makePrivate(folder.path + "/run")
        try #require(FileManager.default.createFile(atPath: directories.runtime, contents: nil))
        #expect { try ListeningSocket(in: directories) } throws: { code($0) == .notPermitted }
    }

    @Test("S25: a link in the place of the lock is refused")
    func linkInThePlaceOfTheLockIsRefused() throws {
        try Directories.makePrivate(directories.runtime)
        try #require(symlink(folder.path + "/victim", directories.runtime + "/latchkeyd.lock") == 0)
        #expect { try ListeningSocket(in: directories) } throws: { code($0) == .storageFailed }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/victim"))
    }

    @Test func pathThatIsTooLongForASocketIsAnError() throws {
        let long = folder.path + "/" + String(repeating: "x", count: 100)
        let directories = try #require(Directories(environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": long]))
        #expect { try ListeningSocket(in: directories) } throws: { code($0) == .storageFailed }
        #expect(throws: WireError.self) { try DaemonConnector.connect(directories) }
    }

    @Test func nothingListensWhereThereIsNoFolder() throws {
        #expect(try DaemonConnector.connect(directories) == nil)
    }
}
