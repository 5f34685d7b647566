// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
package import AutoFillMatching
package import AutoFillSecrets
import ChildProcesses
internal import Foundation
internal import Glibc
package import Logging

/// The code of a wire error, or nothing for any other error.
package func code(_ error: any Error) -> WireError.Code? {
    (error as? WireError)?.code
}

extension SecretBytes {
    /// For comparing in tests only; the product never does this.
    package var text: String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// A folder of its own for one test, gone with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter inMemory: For tests that write often and run no program, which such a place may forbid.
    package init(inMemory: Bool = false) throws {
        let place = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        path = "\(place)/latchkey-daemon-\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Directories that point into this folder.
    package var directories: Directories? {
        Directories(environment: [
            "HOME": path, "XDG_RUNTIME_DIR": path + "/run", "XDG_STATE_HOME": path + "/state",
            "XDG_DATA_HOME": path + "/data", "XDG_CONFIG_HOME": path + "/config",
        ])
    }

    /// Writes a file of this folder and returns its path.
    ///
    /// A program is written by a process of its own: a descriptor that is open for writing here may live on for a moment in
    /// a child of a parallel test, and Linux starts no program that somebody may still write to.
    @discardableResult package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = path + "/" + name
        guard mode & 0o100 != 0 else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            return file
        }
        try write(text, to: name + ".text")
        let install = ["-m", String(mode, radix: 8), file + ".text", file]
        if let process = ChildProcess.spawn("/usr/bin/install", arguments: install, descriptors: []) {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
        return file
    }

    /// The bytes of a file of this folder; empty where there is none.
    package func read(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: path + "/" + name) ?? Data())
    }
}

/// A moment of the clock that tests turn by hand.
package let start = ContinuousClock.now

extension CredentialIdentity {
    package static let shiny = CredentialIdentity(
        type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "rmondello",
        recordIdentifier: "r1")
}

/// The origin of a document that its browser states; nothing for what is no origin.
package func verified(_ url: String, document: String = "D1") -> VerifiedOrigin? {
    let document = ClaimedDocument(origin: ClaimedOrigin(url), documentIdentifier: document)
    return try? OriginVerifier.verify([document]).get()
}

/// The origin of a frame, with those of the documents around it.
package func verified(_ urls: [String]) -> VerifiedOrigin? {
    let chain = urls.enumerated().map { number, url in
        ClaimedDocument(origin: ClaimedOrigin(url), documentIdentifier: "D\(number + 1)")
    }
    return try? OriginVerifier.verify(chain).get()
}

extension Quirks {
    /// The distribution's suffixes, and one group of sites that share their accounts.
    package static func sharing(_ hosts: [String]) throws -> Quirks {
        let group = try JSONSerialization.data(withJSONObject: [["shared": hosts]])
        return Quirks(suffixes: .distribution, shared: try SharedCredentials(json: group))
    }
}

extension MatchPolicy {
    package static func sharing(_ hosts: [String]) throws -> MatchPolicy {
        MatchPolicy(try Quirks.sharing(hosts))
    }
}

/// A logger that says nothing.
package let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// Carries out what blocks on a thread of its own, so that the few threads of the shared pool stay free.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
