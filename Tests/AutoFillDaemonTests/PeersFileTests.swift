// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct PeersFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/peers.json" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func withoutAFileNothingIsAdded() throws {
        #expect(try PeersFile(contentsOf: path) == PeersFile())
    }

    @Test func whatTheUserAddedIsRead() throws {
        let text = #"{"browsers":["/b"],"settings":["/s"],"extensions":["chrome-extension://x/"],"future":1}"#
        try folder.write(text, to: "peers.json")
        let expected = PeersFile(browsers: ["/b"], settings: ["/s"], extensions: ["chrome-extension://x/"])
        #expect(try PeersFile(contentsOf: path) == expected)
    }

    @Test(arguments: [
        "", "x", "[]", "null", #"{"browsers":"/b"}"#, #"{"browsers":[1]}"#, #"{"settings":{}}"#, #"{"browsers":["/b"]"#,
        #"{"browsers":["/b"],"extensions":[null]}"#,
    ])
    func fileThatCannotBeReadIsNotHalfBelieved(text: String) throws {
        try folder.write(text, to: "peers.json")
        #expect { try PeersFile(contentsOf: path) } throws: { code($0) == .storageFailed }
    }

    @Test func folderInThePlaceOfTheFileIsAnError() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect { try PeersFile(contentsOf: path) } throws: { code($0) == .storageFailed }
    }
}
