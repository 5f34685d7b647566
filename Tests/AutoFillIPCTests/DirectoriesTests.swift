// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import AutoFillIPC

@Suite struct DirectoriesTests {
    @Test func followTheBaseDirectorySpecification() throws {
        let named = try #require(
            Directories(environment: [
                "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "XDG_STATE_HOME": "/s",
                "XDG_RUNTIME_DIR": "/r",
            ]))
        #expect(named.config == "/c/latchkey")
        #expect(named.data == "/d/latchkey")
        #expect(named.state == "/s/latchkey")
        #expect(named.runtime == "/r/latchkey")
        #expect(named.socket == "/r/latchkey/latchkeyd.sock")
    }

    @Test(arguments: ["", "relative", "./x", "~/x"])
    func pathsThatAreNotAbsoluteAreIgnored(path: String) throws {
        let directories = try #require(
            Directories(environment: [
                "HOME": "/h", "XDG_CONFIG_HOME": path, "XDG_DATA_HOME": path, "XDG_STATE_HOME": path,
                "XDG_RUNTIME_DIR": path,
            ]))
        #expect(directories.config == "/h/.config/latchkey")
        #expect(directories.data == "/h/.local/share/latchkey")
        #expect(directories.state == "/h/.local/state/latchkey")
        #expect(directories.runtime == "/h/.local/state/latchkey/run")
    }

    @Test func homeOfTheUserStandsInForTheVariable() throws {
        #expect(Directories(environment: [:])?.config.hasSuffix("/.config/latchkey") == true)
    }

    @Test func foldersAboveAreMadeToo() throws {
        let folder = try TemporaryFolder()
        try Directories.makePrivate(folder.path + "/a/b/c")
        try Directories.makePrivate(folder.path + "/a/b/c")
        var information = stat()
        #expect(stat(folder.path + "/a/b/c", &information) == 0)
        #expect(information.st_mode & 0o777 == 0o700)
    }

    @Test func fileOnTheWayIsAnError() throws {
        let folder = try TemporaryFolder()
        try #require(FileManager.default.createFile(atPath: folder.path + "/a", contents: nil))
        #expect(throws: WireError.self) { try Directories.makePrivate(folder.path + "/a/b") }
    }
}
