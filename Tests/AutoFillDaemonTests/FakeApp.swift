// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import Glibc
import Synchronization
import Testing

@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

/// Sites that confirm apps as a test says.
final class ConfirmingSites: AssociationFetching {
    let apps: Mutex<[String]>

    init(_ apps: [String] = [FakeApp.identifier]) {
        self.apps = Mutex(apps)
    }

    func ask(_ question: AssociationQuestion) async -> AssociationAnswer {
        AssociationAnswer(requests: [], finding: .apps(apps.withLock { $0 }))
    }
}

/// A program that asks: a copy of `sleep`, which does what it is told, in a folder of the test's.
final class FakeApp: Sendable {
    static let identifier = "E5336VM85F.com.example.Shiny"

    let client: ClientConnection
    let path: String
    private let child: Int32

    /// - Parameters:
    ///   - claims: what stands beside the program; nothing for a program that states nothing.
    init(
        in folder: TemporaryFolder, name: String = "shiny", number: Int = 7, claims identifier: String? = identifier,
        domains: [String] = ["webcredentials:shiny.example.com"]
    ) throws {
        path = folder.path + "/" + name
        if !FileManager.default.fileExists(atPath: path) {
            let sleep = try #require(FileManager.default.realPath(of: "/bin/sleep"))
            let install = try #require(
                ChildProcess.spawn("/usr/bin/install", arguments: ["-m", "755", sleep, path], descriptors: []))
            var status: Int32 = 0
            while waitpid(install, &status, 0) < 0 && errno == EINTR {}
        }
        if let identifier {
            let entries = domains.map { "<string>\($0)</string>" }.joined()
            try folder.write(
                "<plist version=\"1.0\"><dict><key>application-identifier</key><string>\(identifier)</string>"
                    + "<key>com.apple.developer.associated-domains</key><array>\(entries)</array></dict></plist>",
                to: name + ".entitlements")
        }
        child = try #require(ChildProcess.spawn(path, arguments: ["600"], descriptors: []))
        client = ClientConnection(
            number: number, role: .client, program: path, process: PeerProcess(child: child))
        client.setGreeted()
    }

    deinit {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }
}
