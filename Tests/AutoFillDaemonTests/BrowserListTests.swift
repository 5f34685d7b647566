// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import AutoFillDaemon
@testable import AutoFillIPC
@testable import DaemonTesting

@Suite struct BrowserListTests {
    @Test("S25: a browser on the list that is root's is known")
    func rootsBrowserIsKnown() throws {
        let program = try #require(PeerProcess.Executable(path: "/bin/sh"))
        try #require(program.isRootOwned)
        #expect(BrowserList(added: [], known: ["/bin/sh"]).knows(program))
        #expect(!BrowserList(added: []).knows(program))
    }

    @Test(
        "S25: another program of root's that shows a browser's path in mounts of its own is not known",
        arguments: [
            "/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "/usr/lib/firefox/firefox",
        ])
    func pathAloneProvesNothing(path: String) throws {
        let disguised = try #require(PeerProcess.Executable(path: path, at: "/bin/sh"))
        #expect(disguised.isRootOwned)
        #expect(!BrowserList(added: []).knows(disguised))
    }

    @Test("S25: a browser at a known path that others may write is not known", arguments: [0o775, 0o777] as [mode_t])
    func browserThatOthersMayWriteIsNotKnown(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "browser")
        try #require(chmod(path, mode) == 0)
        let program = try #require(PeerProcess.Executable(path: path))
        #expect(!BrowserList(added: [], known: [path]).knows(program))
    }

    @Test("S25: a browser that the user added is known by its file, whatever its path")
    func addedBrowserIsKnownByItsFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "browser", mode: 0o777)
        let list = BrowserList(added: [path])
        let program = try #require(PeerProcess.Executable(path: path))
        #expect(list.knows(program))
        try #require(rename(path, path + "-moved") == 0)
        #expect(list.knows(try #require(PeerProcess.Executable(path: path + "-moved"))))
        // Another file at the path that was added; the first one keeps its number for itself as long as it is there.
        try folder.write("y", to: "browser", mode: 0o777)
        #expect(!list.knows(try #require(PeerProcess.Executable(path: path))))
    }

    @Test(arguments: ["", "/", "/nonexistent", "relative"])
    func whatIsNoFileAddsNothing(path: String) throws {
        let program = try #require(PeerProcess.Executable(path: "/bin/sh"))
        #expect(!BrowserList(added: [path]).knows(program))
    }
}
