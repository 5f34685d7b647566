// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import latchkey

@Suite struct LoginModuleTests {
    /// A folder of service files, and one of modules with the module in it.
    private func state(_ files: [String: String], hasModule: Bool = true) throws -> LoginModule.State {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["pam.d", "security"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        for (name, text) in files {
            try text.write(to: folder.appendingPathComponent("pam.d/\(name)"), atomically: true, encoding: .utf8)
        }
        if hasModule {
            try "".write(
                to: folder.appendingPathComponent("security/pam_latchkey.so"), atomically: true, encoding: .utf8)
        }
        return LoginModule(
            configuration: folder.path + "/pam.d", modules: ["/nonexistent", folder.path + "/security"]
        ).state
    }

    private let auth = "auth\trequired\tpam_unix.so\nauth\toptional\tpam_latchkey.so\n"
    private let session = "session  optional  pam_latchkey.so data=.data\n"

    @Test func isUsedWhereBothLinesAre() throws {
        #expect(try state(["common-auth": auth, "common-session": session]) == .used)
        #expect(try state(["login": auth + session]) == .used)
    }

    @Test func isUnusedWhereALineIsMissing() throws {
        #expect(try state([:]) == .unused)
        #expect(try state(["common-auth": auth]) == .unused)
        #expect(try state(["common-session": session]) == .unused)
        #expect(try state(["common-auth": "# " + auth, "common-session": " #" + session]) == .unused)
    }

    @Test func whatEditorsAndPackageManagersLeaveDoesNotCount() throws {
        for name in ["login.dpkg-old", "login~", ".login.swp"] {
            #expect(try state([name: auth + session]) == .unused)
        }
    }

    @Test func isMissingWithoutItsFile() throws {
        #expect(try state(["login": auth + session], hasModule: false) == .missing)
    }
}
