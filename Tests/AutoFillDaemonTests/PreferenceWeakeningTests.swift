// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct PreferenceWeakeningTests {
    private static func with(_ change: (inout Preferences) -> Void) -> Preferences {
        var preferences = PreferencesFile.defaults
        change(&preferences)
        return preferences
    }

    /// Each weaker than the one before it.
    static let ladders: [[Preferences]] = [
        [
            with { ($0.authentication, $0.authenticationMinutes) = ("always", 1) },
            with { $0.authenticationMinutes = 1 },
            with { $0.authenticationMinutes = 1440 }, with { $0.authentication = "never" },
        ],
        [
            with { ($0.fills, $0.authenticationMinutes) = ("always", 1) },
            with { ($0.fills, $0.authenticationMinutes) = ("after", 1) },
            with { $0.fills = "after" }, with { $0.fills = "never" },
        ],
        [with { $0.fills = nil }, with { $0.fills = "never" }],
        [
            with { $0.idleMinutes = 1 }, with { $0.idleMinutes = 15 }, with { $0.idleMinutes = 10_080 },
            with { $0.idleMinutes = 0 },
        ],
        [with { $0.lockOnSuspend = true }, with { $0.lockOnSuspend = false }],
        [with { $0.lockOnScreenLock = true }, with { $0.lockOnScreenLock = false }],
        [with { $0.providerSeconds = 1 }, with { $0.providerSeconds = nil }, with { $0.providerSeconds = 60 }],
        [with { $0.gitSave = "never" }, with { $0.gitSave = "ask" }, with { $0.gitSave = "always" }],
        [with { $0.gitMinutes = 0 }, with { $0.gitMinutes = 1 }, with { $0.gitMinutes = 1440 }],
        [with { $0.codeSeconds = 30 }, with { $0.codeSeconds = nil }, with { $0.codeSeconds = 600 }],
        [with { $0.codeMaildir = nil }, with { $0.codeMaildir = "/mail" }],
        [with { $0.breachRanges = nil }, with { $0.breachRanges = true }],
        [with { $0.fingerprint = nil }, with { $0.fingerprint = true }],
        [with { $0.shellSearch = nil }, with { $0.shellSearch = true }],
        [PreferencesFile.strictest, PreferencesFile.defaults],
    ]

    @Test("S36 every step down weakens, and no step up does", arguments: ladders)
    func steps(ladder: [Preferences]) {
        for stronger in ladder.indices {
            for weaker in ladder.indices where weaker > stronger {
                #expect(!PreferenceWeakening.weakened(from: ladder[stronger], to: ladder[weaker]).isEmpty)
                #expect(PreferenceWeakening.weakened(from: ladder[weaker], to: ladder[stronger]).isEmpty)
            }
            #expect(PreferenceWeakening.weakened(from: ladder[stronger], to: ladder[stronger]).isEmpty)
        }
    }

    @Test("S36 any other file is weaker where its path is shown to a sandbox, or its codes are offered")
    func paths() {
        let lists = [nil, "/one", "/two"].map { path in Self.with { $0.breachList = path } }
        for old in lists {
            for new in lists where new != old {
                #expect(PreferenceWeakening.weakened(from: old, to: new).count == 1)
            }
        }
        let mail = Self.with { $0.codeMaildir = "/one" }
        #expect(PreferenceWeakening.weakened(from: mail, to: Self.with { $0.codeMaildir = "/two" }).count == 1)
    }

    @Test("S36 minutes that do not count yet are a setting all the same, and nobody else's choice when they do")
    func minutesOfAnotherWord() {
        let always = Self.with { $0.authentication = "always" }
        let long = Self.with { ($0.authentication, $0.authenticationMinutes) = ("always", 1440) }
        #expect(
            PreferenceWeakening.weakened(from: always, to: long) == [
                "minutes of authentication: 5 minutes to 1440 minutes"
            ])
        #expect(PreferenceWeakening.weakened(from: long, to: always).isEmpty)
        #expect(PreferenceWeakening.weakened(from: long, to: Self.with { $0.authenticationMinutes = 1440 }).count == 1)
    }

    /// What `consents.takeBack` makes of some preferences.
    private func strengthened(_ old: Preferences) throws -> Preferences {
        let folder = try TemporaryFolder(inMemory: true)
        var file = PreferencesFile(path: folder.path + "/preferences.json")
        try file.apply(
            .init(
                authentication: old.authentication, authenticationMinutes: old.authenticationMinutes,
                idleMinutes: old.idleMinutes, lockOnSuspend: old.lockOnSuspend,
                lockOnScreenLock: old.lockOnScreenLock, providerSeconds: old.providerSeconds, gitSave: old.gitSave,
                gitMinutes: old.gitMinutes, codeSeconds: old.codeSeconds, codeMaildir: old.codeMaildir,
                breachRanges: old.breachRanges, fingerprint: old.fingerprint, shellSearch: old.shellSearch))
        for changes in PreferenceWeakening.strengthening {
            if PreferenceWeakening.isStronger(try file.changed(by: changes), than: file.preferences) {
                try file.apply(changes)
            }
        }
        return file.preferences
    }

    @Test("S50: taking all back sets what is weaker than its default to the default, and nothing else")
    func takingBack() throws {
        let weak = Self.with {
            ($0.authentication, $0.idleMinutes, $0.lockOnSuspend, $0.lockOnScreenLock) = ("never", 0, false, false)
            ($0.providerSeconds, $0.gitSave, $0.codeSeconds) = (60, "always", 600)
            ($0.codeMaildir, $0.breachRanges, $0.fingerprint, $0.shellSearch) = ("/mail", true, true, true)
        }
        let taken = try strengthened(weak)
        #expect(PreferenceWeakening.weakened(from: PreferencesFile.defaults, to: taken).isEmpty)
        #expect(PreferenceWeakening.weakened(from: taken, to: PreferencesFile.defaults).isEmpty)
        let strict = try strengthened(PreferencesFile.strictest)
        #expect(PreferenceWeakening.weakened(from: PreferencesFile.strictest, to: strict).isEmpty)
        #expect(strict.authentication == "always" && strict.idleMinutes == 1 && strict.gitSave == "never")
    }

    @Test func autoFillIsNeutral() {
        let off = Self.with { $0.autoFill = false }
        #expect(PreferenceWeakening.weakened(from: off, to: PreferencesFile.defaults).isEmpty)
        #expect(PreferenceWeakening.weakened(from: PreferencesFile.defaults, to: off).isEmpty)
    }
}
