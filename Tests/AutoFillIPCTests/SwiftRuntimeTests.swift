// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillIPC

@Suite struct SwiftRuntimeTests {
    /// Tests run with shared libraries; a folder that is found holds them.
    @Test func findsTheLibrariesOfThisProcess() throws {
        let folder = try #require(SwiftRuntime.folder)
        #expect(folder.hasPrefix("/"))
        #expect(FileManager.default.fileExists(atPath: folder + "/libswiftCore.so"))
    }

    @Test func showsAFolderThatTheSystemFoldersDoNotShow() {
        for folder in ["/home/anna/.local/lib/latchkey", "/optional/lib", "/usrlocal/lib"] {
            #expect(SwiftRuntime.arguments(showing: folder) == ["--ro-bind", folder, folder])
        }
    }

    @Test func showsNothingTwice() {
        #expect(SwiftRuntime.arguments(showing: nil).isEmpty)
        for folder in [
            "/usr/lib/latchkey", "/usr/local/lib/latchkey", "/opt/swift/usr/lib/swift/linux", "/nix/store/x/lib",
        ] {
            #expect(SwiftRuntime.arguments(showing: folder).isEmpty)
        }
    }
}

@Suite struct DetachedThreadTests {
    @Test func runsItsWorkOnAnotherThread() async {
        let caller = pthread_self()
        let isOther = await withCheckedContinuation { continuation in
            let isRunning = DetachedThread.start {
                continuation.resume(returning: pthread_equal(caller, pthread_self()) == 0)
            }
            #expect(isRunning)
        }
        #expect(isOther)
    }

    /// No machine has room for this stack.
    @Test func saysWhenThereIsNoThread() {
        #expect(!DetachedThread.start(stackSize: 1 << 62) { Issue.record("the work was done all the same") })
    }
}
