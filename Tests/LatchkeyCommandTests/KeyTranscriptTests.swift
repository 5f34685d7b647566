// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import Testing

@testable import latchkey

/// What the commands about keys, preferences, backups and the daemon print.
@Suite(.tags(.startsProcess)) struct KeyTranscriptTests {
    private func daemon(_ change: (inout FakeDaemon.State) -> Void = { _ in }) throws -> FakeDaemon {
        var state = FakeDaemon.State()
        change(&state)
        return try FakeDaemon(TestHome(), state)
    }

    @Test func initPrintsTheRecoveryCodeAloneOnStandardOutput() async throws {
        let daemon = try daemon { $0.isInitialized = false }
        let run = await daemon.home.run("init", "--passphrase-file", "-", input: "a new one of words\n")
        #expect(run.output == FakeDaemon.recoveryCode + "\n")
        #expect(run.error.contains("Write it down on paper"))
        #expect(run.status == 0)
        let again = await daemon.home.run("init", "--json", input: "x")
        #expect(again.status == 12)
        #expect(again.error.hasPrefix("latchkey: Latchkey is set up already.\nhint: "))
    }

    @Test(
        "where the keyring is missing all commands say so, and none says that nothing is set up",
        arguments: [
            ("unlock", 7), ("init", 12), ("add a.example me", 7),
        ])
    func aMissingKeyringIsSaid(command: String, status: Int32) async throws {
        let missing = MissingKeyring(message: "The file keyring is missing.", hint: "Put the file back.")
        let daemon = try daemon {
            $0.isInitialized = false
            $0.missingKeyring = missing
        }
        let run = await daemon.home.run(
            command.split(separator: " ").map(String.init), input: "a new one of words\n", adding: [:])
        #expect(run.status == status && run.error == "latchkey: \(missing.message)\nhint: \(missing.hint)\n")
        #expect(daemon.asked.allSatisfy { ["hello", "status"].contains($0) })
        let stated = await daemon.home.run("status")
        #expect(stated.output.contains(missing.message) && stated.output.contains(missing.hint))
        #expect(!stated.output.contains("init"))
    }

    @Test(arguments: ["a", "", "1234567", "pässwör"]) func aShortPassphraseIsRefused(text: String) async throws {
        let daemon = try daemon { $0.isInitialized = false }
        let run = await daemon.home.run("init", input: text + "\n")
        #expect(run.status == 13)
        #expect(!daemon.asked.contains("init"))
        let old = daemon.home.write("old", "correct horse\n")
        let changed = await daemon.home.run("passphrase", "--passphrase-file", old, input: text + "\n")
        #expect(changed.status == 13)
        let code = daemon.home.write("code", "old code\n")
        let recovered = await daemon.home.run("recover", "--recovery-code-file", code, input: text + "\n")
        #expect(recovered.status == 13)
        #expect(daemon.asked.allSatisfy { ["hello", "status"].contains($0) })
    }

    @Test func aPassphraseThatIsGuessedSoonIsWarnedOf() throws {
        var warnings: [String] = []
        for text in ["password", "qwertyuiop", "anna1987"] {
            try NewPassphrase.check(SecretBytes(utf8: text)) { warnings.append($0) }
        }
        #expect(warnings.count == 3 && warnings.allSatisfy { $0.contains("could guess this passphrase") })
        #expect(!warnings.joined().contains("password "))
        try NewPassphrase.check(SecretBytes(utf8: "correct horse battery staple moon")) { warnings.append($0) }
        #expect(warnings.count == 3)
    }

    @Test func unlockAndLock() async throws {
        let daemon = try daemon { $0.isLocked = true }
        let wrong = await daemon.home.run("unlock", input: "correct horse\n\n")
        #expect(wrong.status == 4)
        #expect(await daemon.home.run("unlock", input: "correct horse\n").status == 0)
        #expect(!daemon.with { $0.isLocked })
        #expect(await daemon.home.run("unlock", input: "").error == "Latchkey is unlocked already.\n")
        #expect(await daemon.home.run("lock").status == 0)
        #expect(daemon.with { $0.isLocked })
    }

    @Test func tooManyAttemptsSayHowLongToWait() async throws {
        let daemon = try daemon {
            $0.isLocked = true
            $0.failures["unlock"] = WireError(.tooManyAttempts, "Too many wrong passphrases.", retryAfter: 30)
        }
        let run = await daemon.home.run("unlock", input: "x\n")
        #expect(run.status == 4)
        #expect(run.error == "latchkey: Too many wrong passphrases.\nhint: Wait 30 seconds, then try again.\n")
    }

    @Test func passphraseChangeTakesTwoSecretsApart() async throws {
        let daemon = try daemon()
        let old = daemon.home.write("old", "correct horse")
        let run = await daemon.home.run("passphrase", "change", "--passphrase-file", old, input: "all the new ones\n")
        #expect(run.status == 0)
        #expect(
            daemon.with { $0.lastParams["passphrase.change"]?["newPassphrase"] }
                == .secret(.init(utf8: "all the new ones"))
        )
        let both = await daemon.home.run("passphrase", input: "one\ntwo\n")
        #expect(both.status == 64)
        #expect(both.error.hasPrefix("latchkey: Two secrets cannot both come from standard input.\nhint: "))
    }

    @Test func pinIsSetWithThePassphraseAndTakenAway() async throws {
        let daemon = try daemon { $0.wantsAuthentication = true }
        let passphrase = daemon.home.write("passphrase", "correct horse\n")
        let refused = await daemon.home.run("pin", "set", input: "271828\n")
        #expect(refused.status != 0 && !daemon.with { $0.hasPIN })
        let set = await daemon.home.run("pin", "set", "--passphrase-file", passphrase, input: "271828\n")
        #expect(set.status == 0 && set.output == "")
        #expect(daemon.with { $0.lastParams["pin.set"]?["pin"] } == .secret(.init(utf8: "271828")))
        #expect(await daemon.home.run("status", "--verbose").output.contains("pin        unlocks until you log out"))
        #expect(await daemon.home.run("pin", "remove").status == 0)
        #expect(!daemon.with { $0.hasPIN })
    }

    @Test func loginIsEnabledWithoutSendingThePassword() async throws {
        let daemon = try daemon()
        let (passphrase, password) = (
            daemon.home.write("passphrase", "correct horse\n"), daemon.home.write("login", "second-hand trombone\n")
        )
        let run = await daemon.home.run(
            "login", "enable", "--passphrase-file", passphrase, "--login-password-file", password)
        #expect(run.status == 0 && run.output == "")
        let params = try #require(daemon.with { $0.lastParams["login.enable"] })
        guard case .secret(let key)? = params["key"], case .string(let text)? = params["salt"] else {
            Issue.record("there is no key or no salt")
            return
        }
        let salt = try #require(LoginPassword.bytes(ofSalt: text))
        #expect(key == (try LoginPassword.key(from: .init(utf8: "second-hand trombone"), salt: salt)))
        #expect(params["memoryKiB"] == .integer(65536) && params["loginPassword"] == nil)
    }

    @Test func recoverPrintsTheNewCode() async throws {
        let daemon = try daemon()
        let code = daemon.home.write("code", "old code\n")
        let run = await daemon.home.run("recover", "--recovery-code-file", code, "--json", input: "wholly new things\n")
        #expect(run.output == "{\"recoveryCode\":\"\(FakeDaemon.recoveryCode)\"}\n")
        #expect(run.error == "")
        #expect(daemon.with { $0.lastParams["recover"]?["recoveryCode"] } == .secret(.init(utf8: "old code")))
    }

    @Test func aNewRecoveryCodeTakesThePassphraseAndCountsOnceItIsShown() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("recovery-code", "new", input: "correct horse\n")
        #expect(run.output == FakeDaemon.recoveryCode + "\n" && run.status == 0)
        #expect(run.error.hasSuffix("The old one opens nothing more.\n"))
        #expect(daemon.asked.suffix(2) == ["recoveryCode.renew", "recoveryCode.shown"])
        #expect(await daemon.home.run("recovery-code", input: "wrong\n").status == 4)
    }

    @Test(arguments: [
        (
            WireError(.storageFailed, "The disk is full."),
            "This recovery code does not count; the one that you have does."
        ),
        (
            WireError(.storageFailed, "It is unsettled.", reason: "unsettled"),
            "It is not known whether this recovery code counts: keep the old one, too."
        ),
        (
            WireError(.providerUnavailable, "The connection ended."),
            "It is not known whether this recovery code counts: keep the old one, too."
        ),
    ])
    func aCodeThatWasShownInVainIsSaidToBe(error: WireError, sentence: String) async throws {
        let daemon = try daemon { $0.failures["recoveryCode.shown"] = error }
        let code = daemon.home.write("code", "old code\n")
        let run = await daemon.home.run("recover", "--recovery-code-file", code, input: "wholly new things\n")
        #expect(run.output == FakeDaemon.recoveryCode + "\n" && run.status != 0)
        #expect(run.error.contains(sentence + "\nlatchkey: " + error.message + "\n"))
        #expect(!run.error.contains("Write it down"))
    }

    @Test func statusForScripts() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("status", "--json")
        #expect(
            run.output
                == """
                {"initialized":true,"locked":false,"autoFill":true,"version":"0.1.0","processIdentifier":4711,\
                "providers":[{"identifier":"org.latchkey.passwords","name":"Passwords","running":true,"identities":2}],\
                "preferences":{"autoFill":true,"authentication":"after","authenticationMinutes":5,"fills":"never","idleMinutes":30,\
                "lockOnSuspend":true,"lockOnScreenLock":true,"providerSeconds":5,"gitSave":"ask",\
                "gitMinutes":0,"codeSeconds":180,"codeMaildir":null,\
                "breachList":null,"breachRanges":false,"fingerprint":false,"shellSearch":false},"store":"ready","memoryLocked":true,\
                "isolation":{"available":true,"reason":null},"quirks":null,"codes":[],"pin":false,\
                "login":"off"}

                """
        )
    }

    @Test func statusForPeople() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("status")
        #expect(run.output == "latchkey  unlocked\nautofill  on\nstore     ready\n")
        let whole = await daemon.home.run("status", "--verbose")
        #expect(whole.output.contains("\ndaemon ") && whole.output.contains("\nprovider "))
    }

    @Test func withoutACommandThereAreTheStateAndWhatIsNeededMost() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run()
        #expect(run.status == 0 && run.output.hasPrefix("Latchkey is unlocked.\n\nlatchkey list "))
        daemon.with { $0.isLocked = true }
        #expect(await daemon.home.run().output.hasPrefix("Latchkey is locked: `latchkey unlock`.\n"))
        daemon.with { $0.isInitialized = false }
        #expect(await daemon.home.run().output.hasPrefix("Latchkey is not set up yet: `latchkey init`.\n"))
        // Without a daemon.
        let home = TestHome()
        #expect(await home.run().output.hasPrefix("Latchkey is not set up yet"))
        try Directories.makePrivate(home.directories.data)
        try "".write(toFile: home.directories.data + "/keyring", atomically: false, encoding: .utf8)
        #expect(await home.run().output.hasPrefix("Latchkey is locked"))
    }

    @Test(arguments: [
        (["help"], true), (["help", "--all"], false), (["--help"], false),
    ])
    func helpBeginsWithWhatIsNeededMost(arguments: [String], isShort: Bool) async {
        let run = await TestHome().run(arguments, input: "", adding: [:])
        #expect(run.status == 0 && run.output.contains("latchkey help --all") == isShort)
        #expect(run.output.contains("associations") == !isShort)
    }

    @Test(arguments: [
        (["unlock"], "Latchkey is unlocked.\n"), (["lock"], "Latchkey is locked.\n"),
        (["pin", "remove"], "There is no PIN any more.\n"), (["autofill", "off"], "AutoFill is off.\n"),
        (["login", "disable"], "Your login password no longer unlocks Latchkey.\n"),
        (["consents", "forget", "--all"], "Revoked 0 consents.\n"), (["daemon", "start"], "latchkeyd runs.\n"),
    ])
    func eachCommandSaysWhatItDid(command: [String], sentence: String) async throws {
        let daemon = try daemon { $0.isLocked = command == ["unlock"] }
        let run = await daemon.home.run(command, input: "correct horse\n", adding: [:])
        #expect(run.status == 0 && run.output == "" && run.error == sentence)
    }

    @Test func suggestionsForScriptsHaveExactlyTheDocumentedMembers() async throws {
        let daemon = try daemon()
        daemon.keep(1, ["shiny.example.com"], "rmondello", "secret")
        let run = await daemon.home.run("suggestions", "https://shiny.example.com/login", "--json")
        #expect(
            run.output
                == """
                [
                  {"provider":"org.latchkey.passwords","service":"shiny.example.com","user":"rmondello",\
                "recordIdentifier":"1000000a000000000000000000000000","type":"password","rank":0}
                ]

                """
        )
    }

    @Test func preferencesAndAutoFill() async throws {
        let daemon = try daemon()
        #expect(await daemon.home.run("autofill", "off").status == 0)
        #expect(await daemon.home.run("autofill").output == "off\n")
        let run = await daemon.home.run(
            "preferences", "set", "--authentication", "never", "--fills", "always", "--idle-minutes", "0",
            "--no-lock-on-suspend")
        #expect(run.status == 0)
        #expect(
            run.output
                == """
                autofill                    off
                authentication              never
                before a fill               always
                lock when idle              never
                lock on suspend             no
                lock on screen lock         yes
                providers answer within     5 seconds
                save logins of git          ask
                git gets a login again      no; you are asked each time
                codes are offered for       180 seconds
                maildir watched for codes   none
                list of leaked passwords    none
                leaks are asked for online  no
                fingerprints are taken      no
                found by the desktop        no

                """
        )
        #expect(daemon.with { $0.lastParams["preferences.set"]?["lockOnScreenLock"] } == nil)
        #expect(await daemon.home.run("preferences", "set", "--provider-seconds", "9").status == 0)
        #expect(daemon.with { $0.lastParams["preferences.set"]?["providerSeconds"] } == .integer(9))
        #expect(await daemon.home.run("preferences", "set").status == 64)
        #expect(await daemon.home.run("preferences", "set", "--authentication", "sometimes").status == 64)
        #expect(await daemon.home.run("preferences", "set", "--idle-minutes", "-1").status == 64)
    }

    @Test func auditForScriptsAndForPeople() async throws {
        let daemon = try daemon()
        daemon.with {
            $0.audit = [
                AuditLine(
                    time: 1_790_000_000, event: "released", provider: "p", service: "a.example", user: "me",
                    requester: "/usr/bin/latchkey\u{1B}[2J", act: "terminal", authentication: "passphrase")
            ]
        }
        let json = await daemon.home.run("audit", "--json", "--since", "7d", "--service", "a.example")
        #expect(json.output.hasPrefix(#"{"intact":true,"lines":[{"time":1790000000,"event":"released","provider":"p""#))
        #expect(daemon.with { $0.lastParams["audit.list"]?["service"] } == .string("a.example"))
        let text = await daemon.home.run("audit")
        #expect(text.output.contains("/usr/bin/latchkey\\u{1B}[2J"))
        daemon.with { $0.isIntact = false }
        let broken = await daemon.home.run("audit")
        #expect(broken.status == 10)
        #expect(broken.error.contains("missing or were changed"))
        #expect(await daemon.home.run("audit", "--since", "yesterday-ish").status == 64)
    }

    @Test func backupDoesNotOverwriteUnasked() async throws {
        let daemon = try daemon()
        daemon.home.write("old.backup", "keep me")
        let refused = await daemon.home.run("backup", "old.backup")
        #expect(refused.status == 12)
        #expect(refused.error.hasSuffix("old.backup is there already.\nhint: --force replaces it.\n"))
        #expect(!daemon.asked.contains("backup.write"))
        #expect(await daemon.home.run("backup", "old.backup", "--force").status == 0)
        #expect(
            daemon.with { $0.lastParams["backup.write"]?["path"] }
                == .string(daemon.home.folder + "/old.backup")
        )
    }

    @Test func restoreSaysHowToReplace() async throws {
        let daemon = try daemon()
        daemon.home.write("a.backup", "x")
        let refused = await daemon.home.run("restore", "a.backup", input: "correct horse\n")
        #expect(refused.status == 12)
        #expect(refused.error.contains("hint: --replace"))
        let done = await daemon.home.run("restore", "a.backup", "--replace", "--json", input: "correct horse\n")
        #expect(done.output == "{\"items\":3}\n")
        #expect(await daemon.home.run("restore", "absent", input: "x").status == 5)
    }

    @Test func daemonStatusStartsNothing() async throws {
        let home = TestHome()
        let run = await home.run("daemon", "status", "--json")
        #expect(run.output == #"{"running":false,"version":null,"processIdentifier":null}"# + "\n")
        #expect(!FileManager.default.fileExists(atPath: home.directories.socket))
        #expect(await home.run("lock").status == 0)
        #expect(await home.run("daemon", "stop").status == 0)
    }

    @Test func aRefusalSaysWhy() async throws {
        let daemon = try daemon {
            $0.failures["hello"] = WireError(.notPermitted, "This program may not.", reason: "it is not in peers.json")
        }
        let run = await daemon.home.run("status")
        #expect(run.status == 6)
        #expect(run.error.hasPrefix("latchkey: This program may not. (it is not in peers.json)\nhint: "))
    }

    @Test func aDaemonThatEndsIsAnErrorAndNoCrash() async throws {
        let home = TestHome()
        try Directories.makePrivate(home.directories.runtime)
        let socket = try ListeningSocket(in: home.directories)
        defer { socket.close() }
        Thread.detachNewThread { while let stream = socket.accept() { stream.close() } }
        let run = await home.run("list")
        #expect(run.status == 11)
        #expect(run.error == "latchkey: The connection ended.\nhint: Try again in a moment.\n")
    }

    @Test func versionAndHelpAreNoErrors() async throws {
        let home = TestHome()
        #expect(await home.run("--version").output == latchkeyVersion + "\n")
        for arguments in [
            ["--help"], ["help", "show"], ["browser", "--help"], ["--generate-completion-script", "bash"],
        ] {
            let run = await home.run(arguments, input: "", adding: [:])
            #expect(run.status == 0)
            #expect(!run.output.isEmpty)
            #expect(!run.output.contains("clipboard-holder") || arguments[0].hasPrefix("--generate"))
        }
    }
}
