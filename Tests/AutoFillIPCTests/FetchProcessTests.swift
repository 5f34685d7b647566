// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ChildProcesses
import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import AutoFillIPC

/// Real processes: what stands in the place of `latchkey-fetch` is a script that misbehaves in one way each.
@Suite(.tags(.startsProcess)) final class FetchProcessTests {
    private let folder = NSTemporaryDirectory() + "latchkey-fetch-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func process(_ script: String, isolated: Bool = false) -> FetchProcess {
        let path = folder + "/latchkey-fetch"
        // Written by a process of its own: a descriptor that is open for writing here may live on for a moment in a child of a
        // parallel test, and Linux starts no program that somebody may still write to.
        _ = FileManager.default.createFile(atPath: path + ".text", contents: Data("#!/bin/sh\n\(script)\n".utf8))
        let install = ["-m", "700", path + ".text", path]
        if let process = ChildProcess.spawn("/usr/bin/install", arguments: install, descriptors: []) {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
        return FetchProcess(
            programFolder: folder,
            bubblewrap: isolated ? Bubblewrap(environment: [:]) : Bubblewrap(program: nil, reason: "not wanted"),
            configurationFolder: folder)
    }

    @Test func bubblewrapThatDoesNotEndIsOneThatDoesNotWork() {
        _ = process("sleep 600")
        let script = folder + "/bwrap"
        #expect(symlink(folder + "/latchkey-fetch", script) == 0)
        let bubblewrap = Bubblewrap(environment: ["PATH": folder], limit: .milliseconds(50))
        #expect(bubblewrap.program == nil)
        #expect(bubblewrap.reason == "\(script) does not end: it was stopped after 0 s")
    }

    private func code(_ body: () async throws -> JSONValue) async -> WireError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? WireError)?.code
        }
    }

    @Test func handsOverTheJobAndReadsTheResult() async throws {
        let echo = process(#"read -r line; printf '{"result":%s}' "$line""#)
        // `read` wants a line; the request has none, and that is enough for it all the same.
        let result = try await echo.run("a", .object(["x": .integer(1)]))
        #expect(
            result
                == .object(["configuration": .object([:]), "job": .string("a"), "request": .object(["x": .integer(1)])])
        )
    }

    @Test func passesTheErrorOfAJobOn() async {
        let failing = process(#"printf '{"error":{"code":7,"message":"gone"}}'"#)
        #expect(await code { try await failing.run("a", .null) } == .notFound)
    }

    @Test(arguments: ["", "exit 3", "echo nonsense", "echo '{}'", "echo '[1]'", "kill -9 $$", "exec 1>&-; sleep 60"])
    func endsWithoutAnAnswer(_ script: String) async {
        let broken = process(script)
        #expect(await code { try await broken.run("a", .null) } == .providerUnavailable)
    }

    @Test func killsWhatTakesTooLong() async {
        let slow = process("exec sleep 600")
        #expect(await code { try await slow.run("a", .null, patience: .milliseconds(50)) } == .timedOut)
        let drip = process("while :; do printf ' '; sleep 0.01; done")
        #expect(await code { try await drip.run("a", .null, patience: .milliseconds(50)) } == .timedOut)
    }

    @Test func killsWhatSaysTooMuch() async {
        let endless = process("exec yes")
        #expect(await code { try await endless.run("a", .null, maximumAnswer: 10_000) } == .providerUnavailable)
    }

    @Test func waitsForNobodyWhoDoesNotRead() async {
        // More than a pipe holds.
        let request = JSONValue.string(String(repeating: "x", count: 200_000))
        let deaf = process("exec sleep 600")
        #expect(await code { try await deaf.run("a", request, patience: .milliseconds(50)) } == .timedOut)
        let brief = process(#"printf '{"result":1}'"#)
        #expect(await code { try await brief.run("a", request) } == nil)
        let tooLong = JSONValue.string(String(repeating: "x", count: FetchEnvelope.maximumSize))
        #expect(await code { try await brief.run("a", tooLong) } == .invalidParams)
    }

    @Test func endsWithTheTaskThatWaits() async {
        let slow = process("exec sleep 600")
        let task = Task { try await slow.run("a", .null) }
        task.cancel()
        let ended = await code { try await task.value }
        #expect(ended == .userCanceled || ended == .providerUnavailable)
    }

    @Test func isSaidWhereTheProgramIsMissing() async {
        let missing = FetchProcess(
            programFolder: folder + "/none", bubblewrap: Bubblewrap(program: nil, reason: ""),
            configurationFolder: folder)
        #expect(await code { try await missing.run("a", .null) } == .providerUnavailable)
    }

    @Test("S39: no variable says which way the network is reached", arguments: [false, true])
    func passesNothingOfTheEnvironment(isolated: Bool) async throws {
        let shown = process(
            #"printf '{"result":"%s"}' "$(/usr/bin/env | /usr/bin/sort | /usr/bin/tr '\n' ' ')""#, isolated: isolated)
        guard case .string(let text) = try await shown.run("a", .null) else {
            Issue.record("no text")
            return
        }
        let names = Set(text.split(separator: " ").map { String($0.prefix { $0 != "=" }) })
        // The shell's own are there too.
        #expect(
            names.contains("SWIFT_BACKTRACE") && names.isSubset(of: ["SWIFT_BACKTRACE", "PWD", "OLDPWD", "SHLVL", "_"]))
    }

    @Test(.enabled(if: Bubblewrap(environment: [:]).program != nil, "bubblewrap does not work here"))
    func seesNothingOfTheUser() async throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/mine"))
        let inside = process(
            """
            seen=$(cat \(folder)/mine 2>&1)
            for place in / /tmp /run /etc /dev /usr; do touch $place/x 2>/dev/null && seen="$seen wrote-$place"; done
            ls /home /root /run/user >/dev/null 2>&1 && seen="$seen listed"
            printf '{"result":"%s %s"}' "$(echo "$seen" | tr -d '\\n')" "$(ls /proc | grep -c '^[0-9]')"
            """, isolated: true)
        guard case .string(let text) = try await inside.run("a", .null) else {
            Issue.record("no text")
            return
        }
        #expect(!text.contains("mine\n") && text.contains("No such file"))
        #expect(!text.contains("wrote-") && !text.contains("listed"))
    }

    @Test(
        "S39: what reads a stranger's bytes has a network of its own, no keyring and filtered calls",
        .enabled(if: Bubblewrap(environment: [:]).program != nil, "bubblewrap does not work here"))
    func isInNoNetworkOfThisComputer() async throws {
        let inside = process(
            """
            printf '{"result":"%s %s %s %s"}' "$(readlink /proc/self/ns/net)" "$(grep -c : /proc/net/dev)" \\
                "$(sed -n 's/^Seccomp:[^0-9]*//p' /proc/self/status)" "$(cat /proc/keys 2>/dev/null | wc -c)"
            """, isolated: true)
        guard case .string(let text) = try await inside.run("a", .null) else {
            Issue.record("no text")
            return
        }
        let words = text.split(separator: " ").map(String.init)
        try #require(words.count == 4, "\(text)")
        #expect(words[0].hasPrefix("net:[") && words[0] != AutoFillIPC.targetOfSymbolicLink("/proc/self/ns/net"))
        // The loopback alone.
        #expect(words[1] == "1" && words[2] == "2" && words[3] == "0")
    }
}
