// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import Synchronization

/// A password store of a test's own, with real keys: a home, a folder of keys, a store, and an agent where one is wanted.
///
/// The folder of keys is none that gpg would choose by itself, so its agent is another than the user's; only that agent is
/// ended with it. All stores of a process have copies of the same two keys, because it takes gpg half a second to make them.
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
    ///   - hasOwnKeys: Whether its keys are no other store's.
    public init(
        recipients: [String] = [RealStore.open], hasAgent: Bool = true, hasGit: Bool = false, hasKeys: Bool = true,
        hasOwnKeys: Bool = false
    ) throws {
        folder = try Self.makeFolder()
        for path in [store, home] + (hasKeys && !hasOwnKeys ? [] : [keys]) { try Self.make(path) }
        if hasKeys, hasOwnKeys { try Self.makeKeys(in: keys, home: home) }
        if hasKeys, !hasOwnKeys { try FileManager.default.copyItem(atPath: Self.sharedKeys.get(), toPath: keys) }
        try write(Self.pinentry(log: pinentryLog, answer: folder + "/pin"), to: "pinentry")
        guard chmod(folder + "/pinentry", 0o700) == 0 else { throw Failure(text: "chmod") }
        try write("pinentry-program \(folder)/pinentry\nallow-preset-passphrase\n", to: "keys/gpg-agent.conf")
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
        Self.environment(keys: keys, home: home).merging([
            "PASSWORD_STORE_DIR": store, "GIT_CONFIG_NOSYSTEM": "1",
        ]) { $1 }
    }

    private static func environment(keys: String, home: String) -> [String: String] {
        ["HOME": home, "GNUPGHOME": keys, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
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
        try Self.run(program, arguments, environment, input: input)
    }

    @discardableResult
    private static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String], input: String = ""
    ) throws -> String {
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

    // MARK: Keys

    /// A folder with the two keys and nothing else, gone with this process.
    private static let sharedKeys: Result<String, any Error> = Result {
        let folder = try makeFolder()
        sharedFolder.withLock { $0 = folder }
        atexit { RealStore.removeSharedFolder() }
        let (keys, home) = (folder + "/keys", folder + "/home")
        for path in [keys, home] { try make(path) }
        try makeKeys(in: keys, home: home)
        return keys
    }

    private static let sharedFolder = Mutex<String?>(nil)

    private static func removeSharedFolder() {
        guard let folder = sharedFolder.withLock({ $0 }) else { return }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func makeFolder() throws -> String {
        let folder = "/tmp/lkp-" + String(UInt32.random(in: .min ... .max), radix: 36)
        try make(folder)
        return folder
    }

    private static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Makes both keys, and ends the agent that gpg starts for it: the agent's sockets are not to be copied.
    private static func makeKeys(in keys: String, home: String) throws {
        let environment = environment(keys: keys, home: home)
        for (address, passphrase) in [(open, ""), (locked, passphrase)] {
            try run(
                "gpg",
                [
                    "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase,
                    "--quick-generate-key", "Test <\(address)>", "future-default", "default", "never",
                ], environment)
        }
        try run("gpgconf", ["--homedir", keys, "--kill", "all"], environment)
        for name in try FileManager.default.contentsOfDirectory(atPath: keys)
        where name.hasPrefix("S.") || name.hasPrefix(".") {
            try? FileManager.default.removeItem(atPath: keys + "/" + name)
        }
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
