// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import latchkey

extension TestHome {
    /// The process that holds the clipboard of this home. It forbids dumps, so only root can read its environment, which names the home;
    /// other users find it by the number of seconds in its arguments.
    func clipboardHolder(clearAfter seconds: Int) -> pid_t? {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = pid_t(name),
                let arguments = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
                String(decoding: arguments, as: UTF8.self).contains("clipboard-holder\0--clear-after\0\(seconds)\0")
            else { continue }
            let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ")
            guard environment.map({ String(decoding: $0, as: UTF8.self).contains("HOME=\(folder)\0") }) ?? true else {
                continue
            }
            return process
        }
        return nil
    }
}

/// Family S29: a copied password stays out of clipboard histories and goes away again.
@Suite(.tags(.startsProcess)) struct ClipboardTests {
    private static let canary = "canary clip \u{1F511}"

    /// A stand-in for wl-copy and wl-paste: the clipboard is a file, and every command line is written down.
    private func fakeTools(_ home: TestHome, canMark: Bool = true) {
        let mark = canMark ? "echo '  --sensitive  hint'" : ":"
        home.write(
            "bin/wl-copy",
            """
            #!/bin/sh
            [ "$1" = --help ] && { \(mark); exit 0; }
            echo "$@ TMPDIR=$TMPDIR" >> "\(home.folder)/log"
            if [ "$1" = --clear ]; then rm -f "\(home.folder)/clip"; else cat > "\(home.folder)/clip"; fi

            """,
            mode: 0o700
        )
        home.write(
            "bin/wl-paste", "#!/bin/sh\n[ -f \"\(home.folder)/clip\" ] || exit 1\nexec cat \"\(home.folder)/clip\"\n",
            mode: 0o700)
    }

    private func wayland(_ home: TestHome) -> [String: String] {
        ["WAYLAND_DISPLAY": "wayland-test", "DISPLAY": "", "PATH": home.folder + "/bin:/usr/bin:/bin"]
    }

    private func clip(_ home: TestHome) -> String? {
        FileManager.default.contents(atPath: home.folder + "/clip").map { String(decoding: $0, as: UTF8.self) }
    }

    private func log(_ home: TestHome) -> String {
        String(decoding: FileManager.default.contents(atPath: home.folder + "/log") ?? Data(), as: UTF8.self)
    }

    private func daemon() throws -> FakeDaemon {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["a.example"], "me", Self.canary)
        return daemon
    }

    @Test("S29: the password is marked, never an argument, and cleared in time")
    func marksAndClears() async throws {
        let daemon = try daemon()
        fakeTools(daemon.home)
        let run = await daemon.home.run(
            "show", "a.example", "--copy", "--clear-after", "3", adding: wayland(daemon.home))
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(run.error == "The password for me is on the clipboard; it is cleared in 3 s.\n")
        #expect(clip(daemon.home) == Self.canary)
        #expect(daemon.with { $0.lastParams["items.reveal"]?["purpose"] } == .string("copy"))
        try await eventually { clip(daemon.home) == nil }
        let folder = daemon.home.folder
        #expect(
            log(daemon.home)
                == """
                --sensitive --type text/plain;charset=utf-8 TMPDIR=\(folder)/run
                --clear TMPDIR=\(folder)/run

                """
        )
    }

    @Test("S29: what was copied since is left alone")
    func leavesOtherTextAlone() async throws {
        let daemon = try daemon()
        fakeTools(daemon.home)
        _ = await daemon.home.run("show", "a.example", "--copy", "--clear-after", "4", adding: wayland(daemon.home))
        daemon.home.write("clip", "something else")
        // Its time is over, and it has looked once more.
        try await eventually { daemon.home.clipboardHolder(clearAfter: 4) == nil }
        #expect(clip(daemon.home) == "something else")
        #expect(!log(daemon.home).contains("--clear"))
    }

    @Test("S29: a second copy of the same password has a time of its own")
    func copiesTheSameTwice() async throws {
        let daemon = try daemon()
        fakeTools(daemon.home)
        _ = await daemon.home.run("show", "a.example", "--copy", "--clear-after", "2", adding: wayland(daemon.home))
        _ = await daemon.home.run("show", "a.example", "--copy", "--clear-after", "3559", adding: wayland(daemon.home))
        try await eventually { daemon.home.clipboardHolder(clearAfter: 2) == nil }
        #expect(clip(daemon.home) == Self.canary)
        kill(try #require(daemon.home.clipboardHolder(clearAfter: 3559)), SIGTERM)
        try await eventually { clip(daemon.home) == nil }
    }

    @Test("S29: a manager that puts the password back is cleared again")
    func clearsAgain() async throws {
        let daemon = try daemon()
        fakeTools(daemon.home)
        _ = await daemon.home.run("show", "a.example", "--copy", "--clear-after", "1", adding: wayland(daemon.home))
        try await eventually { clip(daemon.home) == nil }
        daemon.home.write(
            "bin/wl-copy",
            """
            #!/bin/sh
            [ "$1" = --help ] && { echo --sensitive; exit 0; }
            echo "$@" >> "\(daemon.home.folder)/log2"
            if [ "$1" != --clear ]; then cat > "\(daemon.home.folder)/clip"
            elif [ $(grep -c clear "\(daemon.home.folder)/log2") -ge 3 ]; then rm -f "\(daemon.home.folder)/clip"; fi

            """,
            mode: 0o700
        )
        _ = await daemon.home.run("show", "a.example", "--copy", "--clear-after", "3", adding: wayland(daemon.home))
        #expect(clip(daemon.home) == Self.canary)
        try await eventually { clip(daemon.home) == nil }
    }

    @Test("S29: ending the session clears at once")
    func clearsOnSignal() async throws {
        let daemon = try daemon()
        fakeTools(daemon.home)
        _ = await daemon.home.run("show", "a.example", "--copy", "--clear-after", "3571", adding: wayland(daemon.home))
        #expect(clip(daemon.home) == Self.canary)
        let process = try #require(daemon.home.clipboardHolder(clearAfter: 3571))
        kill(process, SIGTERM)
        try await eventually { clip(daemon.home) == nil }
    }

    @Test("S29: a tool that cannot mark is refused before anything is revealed, unless allowed")
    func refusesUnmarked() async throws {
        let daemon = try daemon()
        fakeTools(daemon.home, canMark: false)
        let refused = await daemon.home.run("show", "a.example", "--copy", adding: wayland(daemon.home))
        #expect(refused.status == 6)
        #expect(
            refused.error
                == """
                latchkey: wl-copy here cannot mark a password, so a clipboard history would keep it.
                hint: Use wl-clipboard 2.3 or newer, or add --unmarked.

                """
        )
        #expect(!daemon.asked.contains("items.reveal"))
        let allowed = await daemon.home.run(
            "show", "a.example", "--copy", "--unmarked", "--clear-after", "3", adding: wayland(daemon.home))
        #expect(allowed.status == 0)
        #expect(clip(daemon.home) == Self.canary)
        try await eventually { clip(daemon.home) == nil }
    }

    @Test(
        "S29: no clipboard, no release",
        arguments: [
            (["WAYLAND_DISPLAY": "w"], Int32(5), "sudo apt install wl-clipboard"),
            ([:], 5, "--password shows the password"),
            (["DISPLAY": "elsewhere:10"], 5, "sudo apt install xclip"), (["DISPLAY": ":4321"], 11, ""),
        ]
    ) func refusesWithoutClipboard(variables: [String: String], status: Int32, hint: String) async throws {
        let daemon = try daemon()
        let bare = ["DISPLAY": "", "WAYLAND_DISPLAY": "", "PATH": daemon.home.folder + "/bin"]
        let run = await daemon.home.run("show", "a.example", "--copy", adding: bare.merging(variables) { $1 })
        #expect(run.status == status)
        #expect(hint.isEmpty || run.error.contains(hint))
        #expect(!run.error.contains("canary"))
        #expect(status == 11 || !daemon.asked.contains("items.reveal"))
    }

    @Test("S29: a tool that fails is an error", arguments: ["exit 1", "cat > /dev/null"])
    func reportsFailure(body: String) async throws {
        let daemon = try daemon()
        fakeTools(daemon.home)
        daemon.home.write(
            "bin/wl-copy", "#!/bin/sh\n[ \"$1\" = --help ] && { echo --sensitive; exit 0; }\n\(body)\n", mode: 0o700)
        let run = await daemon.home.run("show", "a.example", "--copy", adding: wayland(daemon.home))
        #expect(run.status == 11)
        #expect(run.error.hasPrefix("latchkey: "))
        #expect(!run.error.contains("canary"))
    }

    @Test func readsTheCookieOfADisplay() {
        func entry(_ family: UInt16, _ number: String, _ name: String, _ data: String) -> [UInt8] {
            func field(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
            return [UInt8(family >> 8), UInt8(family & 255)] + field("host") + field(number) + field(name) + field(data)
        }
        let name = "MIT-MAGIC-COOKIE-1"
        var whole = entry(256, "1", name, "one") + entry(0, "7", name, "net") + entry(256, "7", "XDM", "other")
        whole += entry(65_535, "7", name, "seven")
        for count in 0...whole.count {
            var bytes = Array(whole.prefix(count))
            let cookie = X11Display.cookie(SecretBytes(wiping: &bytes), display: 7)
            #expect(cookie?.testText == (count == whole.count ? "seven" : nil))
        }
    }

    @Test(arguments: [(":0", 0), (":12.1", 12), ("unix:3", 3)]) func readsDisplays(name: String, number: UInt16) {
        #expect(X11Display(name, environment: [:])?.number == number)
    }

    @Test(arguments: ["", "0", "host:0", "localhost:10.0", ":", ":x", "::1:0"]) func leavesOtherDisplaysAlone(
        name: String
    ) {
        #expect(X11Display(name, environment: [:]) == nil)
    }
}

@Suite(.tags(.startsProcess)) struct ClipboardTurnTests {
    /// Another process that copied later keeps the clipboard for as long as it lives and has not cleared.
    @Test func theTurnIsThatOfTheLastOneThatLives() throws {
        let home = TestHome()
        let environment = home.environment.merging(["WAYLAND_DISPLAY": "", "DISPLAY": ":7"]) { $1 }
        try Directories.makePrivate(home.directories.runtime)
        let file = home.directories.runtime + "/clipboard-:7"
        func note(_ number: UInt64) throws {
            try withUnsafeBytes(of: number) { try Data($0).write(to: URL(fileURLWithPath: file)) }
        }
        func isOurs() -> Bool { ClipboardTurn(environment: environment).isOurs }
        #expect(isOurs(), "nobody has copied")
        ClipboardTurn(environment: environment).take()
        #expect(isOurs())
        try note(UInt64(getppid()))
        #expect(!isOurs())
        // A process that has ended and was waited for.
        let ended = Process()
        ended.executableURL = URL(fileURLWithPath: "/bin/true")
        try ended.run()
        ended.waitUntilExit()
        try note(UInt64(ended.processIdentifier))
        #expect(isOurs(), "it died")
        ClipboardTurn(environment: environment).take()
        ClipboardTurn(environment: environment).end()
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).allSatisfy { $0 == 0 })
        #expect(isOurs(), "it has cleared")
    }
}
