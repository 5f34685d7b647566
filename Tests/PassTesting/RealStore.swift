// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// A password store of a test's own, with real keys: a home, a folder of keys, a store, and an agent where one is wanted.
///
/// The folder of keys is none that gpg would choose by itself, so its agent is another than the user's; only that agent is
/// ended with it.
public final class RealStore: Sendable {
    /// The address of the key without a passphrase.
    public static let open = "open@example.com"
    /// The address of the key that `passphrase` unlocks.
    public static let locked = "locked@example.com"
    /// The passphrase of the locked key.
    public static let passphrase = "correct horse battery"

    /// Whether gpg, pass and git are here.
    public static let isAvailable = ["gpg", "gpgconf", "gpg-connect-agent", "pass", "git"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }
    /// What a test that is skipped says.
    public static let absence = "gpg, pass and git are needed: scripts/install-dependencies test"

    /// The folder of everything, short, because a socket is in it.
    public let folder: String
    /// The store's folder.
    public var store: String { folder + "/store" }
    /// The folder of keys.
    public var keys: String { folder + "/keys" }
    /// The home.
    public var home: String { folder + "/home" }
    /// How often the pinentry was asked, and what it was told.
    public var pinentryLog: String { folder + "/pinentry.log" }

    /// Makes the keys and a store for the open one.
    ///
    /// - Parameters:
    ///   - recipients: What the store's `.gpg-id` says.
    ///   - hasAgent: Whether an agent is left running.
    ///   - hasGit: Whether the store is a git repository.
    ///   - hasKeys: Whether there are keys; without any there is no agent either.
    public init(
        recipients: [String] = [RealStore.open], hasAgent: Bool = true, hasGit: Bool = false, hasKeys: Bool = true
    ) throws {
        folder = "/tmp/lkp-" + String(UInt32.random(in: .min ... .max), radix: 36)
        for path in [folder, store, keys, home] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try write(Self.pinentry(log: pinentryLog, answer: folder + "/pin"), to: "pinentry")
        guard chmod(folder + "/pinentry", 0o700) == 0 else { throw Failure(text: "chmod") }
        try write("pinentry-program \(folder)/pinentry\nallow-preset-passphrase\n", to: "keys/gpg-agent.conf")
        if hasKeys {
            try generate(Self.open, passphrase: "")
            try generate(Self.locked, passphrase: Self.passphrase)
        }
        if hasGit {
            try git("init", "-q")
            try git("config", "user.name", "Somebody")
            try git("config", "user.email", "somebody@example.com")
        }
        try pass(["init"] + recipients)
        lock()
        if hasAgent, hasKeys { try startAgent() }
    }

    deinit {
        lock()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// What every program of it is given.
    public var environment: [String: String] {
        [
            "HOME": home, "GNUPGHOME": keys, "PASSWORD_STORE_DIR": store, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        ]
    }

    /// Ends the agent, which forgets every passphrase.
    public func lock() {
        _ = try? run("gpgconf", ["--homedir", keys, "--kill", "gpg-agent"])
    }

    /// Starts the agent.
    public func startAgent() throws {
        try run("gpgconf", ["--homedir", keys, "--launch", "gpg-agent"])
    }

    /// What the pinentry is to answer from now on; nothing for a user who says no.
    public func answerPinentry(with passphrase: String?) throws {
        try? FileManager.default.removeItem(atPath: folder + "/pin")
        if let passphrase { try write(passphrase, to: "pin") }
    }

    /// Whether the pinentry was asked.
    public var wasAsked: Bool { FileManager.default.fileExists(atPath: pinentryLog) }

    /// Runs pass.
    @discardableResult
    public func pass(_ arguments: [String], input: String = "") throws -> String {
        try run("pass", arguments, input: input)
    }

    /// Writes an entry by pass.
    public func insert(_ name: String, _ text: String) throws {
        try pass(["insert", "--multiline", "--force", name], input: text)
    }

    /// Runs git in the store.
    @discardableResult
    public func git(_ arguments: String...) throws -> String {
        try run("git", ["-C", store] + arguments)
    }

    /// Writes a file below the folder.
    public func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + path))
    }

    /// Runs a program of the system's to its end.
    @discardableResult
    public func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments
        process.environment = environment
        let (read, written, errors) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (read, written, errors)
        try process.run()
        try read.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try read.fileHandleForWriting.close()
        let output = try written.fileHandleForReading.readToEnd() ?? Data()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(text: "\(program) \(arguments): \(String(decoding: said, as: UTF8.self))")
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A program that failed.
    public struct Failure: Error {
        let text: String
    }

    private func generate(_ address: String, passphrase: String) throws {
        try run(
            "gpg",
            [
                "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase,
                "--quick-generate-key", "Test <\(address)>", "future-default", "default", "never",
            ])
    }

    /// A pinentry that answers with what stands in a file, and says no where there is none.
    private static func pinentry(log: String, answer: String) -> String {
        """
        #!/bin/sh
        echo asked >>\(log)
        echo "OK ready"
        while read -r line; do
            case "$line" in
                GETPIN*)
                    if [ -f \(answer) ]; then echo "D $(cat \(answer))"; echo OK; else echo "ERR 83886179 cancelled"; fi ;;
                BYE*) echo OK; exit 0 ;;
                *) echo OK ;;
            esac
        done

        """
    }
}
