// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A bus of its own for one test, with mocks of logind and of screen savers: `Tests/Session/private_bus.py`.
final class PrivateBus {
    struct Failure: Error { let command: String }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Nothing runs yet but the script.
    init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Session/private_bus.py").standardizedFileURL
        // Not the first Python of the path: Debian's is the one that has Debian's python3-dbusmock.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [script.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Sends a command and waits for its answer.
    ///
    /// - Throws: a `Failure` when the script ended; what it said about that is on standard error.
    @discardableResult
    func tell(_ command: String, _ arguments: Any...) throws -> Any {
        let line = try JSONSerialization.data(withJSONObject: [command] + arguments)
        try input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw Failure(command: command)
            }
            answer += byte
        }
        return try JSONSerialization.jsonObject(with: answer, options: .fragmentsAllowed)
    }

    /// Starts the bus; its address.
    func start() throws -> String {
        try #require(try tell("start") as? String)
    }

    /// How many suspensions' locks are held; checks that each asks for no more than it should.
    func inhibitors() throws -> Int {
        let held = try #require(try tell("inhibitors") as? [[Any]])
        for inhibitor in held {
            #expect(
                inhibitor.prefix(4).compactMap { $0 as? String } == ["sleep", "Latchkey", "Wipes its keys", "delay"]
            )
        }
        return held.count
    }

    func connections() throws -> Int {
        try #require(try tell("connections") as? Int)
    }

    /// A signal of logind's own, however odd.
    func emit(
        _ member: String,
        _ signature: String,
        _ arguments: [Any],
        interface: String = "Manager",
        path: String = ""
    )
        throws
    {
        let name = interface.contains(".") ? interface : "org.freedesktop.login1." + interface
        try tell("emit", "/org/freedesktop/login1" + path, name, member, signature, arguments)
    }
}
