// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct PreferencesFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/preferences.json" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func withoutAFileTheDefaultsHold() {
        #expect(PreferencesFile(path: path).preferences == PreferencesFile.defaults)
        #expect(PreferencesFile.defaults.authenticationPreference == .after(.seconds(300)))
        #expect(PreferencesFile.defaults.idleSpan == .seconds(900))
        #expect(PreferencesFile.defaults.lockOnSuspend && PreferencesFile.defaults.lockOnScreenLock)
    }

    @Test func whatWasAppliedIsReadBack() throws {
        var file = PreferencesFile(path: path)
        try file.apply(.init(autoFill: false, authentication: "never", idleMinutes: 0))
        try file.apply(.init(authenticationMinutes: 1440))
        #expect(file.preferences.fillPreference == .never, "fills follow where nothing was chosen for them")
        try file.apply(.init(fills: "always"))
        let read = PreferencesFile(path: path).preferences
        #expect(read == file.preferences)
        #expect(!read.autoFill)
        #expect(read.authenticationPreference == .never)
        #expect(read.authenticationMinutes == 1440)
        #expect(read.fillPreference == .always)
        #expect(read.idleSpan == nil)
        #expect(read.lockOnSuspend)
    }

    @Test(arguments: [
        PreferenceChanges(authentication: "sometimes"), .init(authentication: ""), .init(authentication: "Never"),
        .init(authenticationMinutes: 0), .init(authenticationMinutes: -1), .init(authenticationMinutes: 1441),
        .init(authenticationMinutes: .max), .init(authenticationMinutes: .min), .init(idleMinutes: -1),
        .init(idleMinutes: 10_081), .init(idleMinutes: .max), .init(autoFill: false, authentication: "x"),
    ])
    func valuesOutOfBoundsAreRefusedAndChangeNothing(changes: PreferenceChanges) throws {
        var file = PreferencesFile(path: path)
        #expect { try file.apply(changes) } throws: { code($0) == .invalidParams }
        #expect(file.preferences == PreferencesFile.defaults)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "S36 a file that cannot be read makes everything as strict as it can be, and says so",
        arguments: [
            "", "x", "{", "[]", "null", "\u{0}", #"{"authentication":"never","authentication":"never"}"#,
            #"{"y":"# + String(repeating: "[", count: 512), String(repeating: "[", count: 60_000),
            #"{"authentication":"never"} x"#,
        ])
    func unreadableFileIsTheStrictest(text: String) throws {
        try folder.write(text, to: "preferences.json")
        let file = PreferencesFile(path: path)
        #expect(file.preferences == PreferencesFile.strictest)
        #expect(file.preferences.authenticationPreference == .always)
        #expect(file.problems.count == 1)
    }

    @Test(
        "S36 an odd value makes its setting as strict as it can be, and no other",
        arguments: [
            #"{"authentication":5}"#, #"{"authentication":"sometimes"}"#, #"{"authentication":"Always"}"#,
            #"{"authentication":null}"#, #"{"authentication":""}"#, #"{"authentication":["never"]}"#,
        ])
    func oddWordIsTheStrictest(text: String) throws {
        try folder.write(text, to: "preferences.json")
        let file = PreferencesFile(path: path)
        #expect(file.preferences.authentication == PreferencesFile.strictest.authentication)
        #expect(file.preferences.authenticationPreference == .always)
        #expect(file.preferences.idleMinutes == PreferencesFile.defaults.idleMinutes)
        #expect(file.problems.count == 1)
    }

    @Test("S36 numbers out of range and of other types are the strictest")
    func oddNumbersAreTheStrictest() throws {
        let text =
            #"{"idleMinutes":-1,"providerSeconds":61,"gitMinutes":"60","codeSeconds":1e99,"authenticationMinutes":2.5,"#
            + #""lockOnSuspend":0,"lockOnScreenLock":"no","gitSave":"yes","breachRanges":1,"codeMaildir":"mail","autoFill":1,"#
            + #""fingerprint":1,"shellSearch":"yes","fills":7}"#
        try folder.write(text, to: "preferences.json")
        let file = PreferencesFile(path: path)
        var expected = PreferencesFile.strictest
        expected.authentication = PreferencesFile.defaults.authentication
        #expect(file.preferences == expected)
        #expect(file.problems.count == 14)
    }

    @Test("S36 what is odd is forgotten only with what is written")
    func problemsEndWhenTheFileIsWritten() throws {
        try folder.write(#"{"authentication":"sometimes"}"#, to: "preferences.json")
        var file = PreferencesFile(path: path)
        try file.apply(.init(idleMinutes: 10))
        #expect(file.problems.isEmpty)
        #expect(PreferencesFile(path: path).preferences.authenticationPreference == .always)
    }

    @Test func unknownMembersAreIgnored() throws {
        try folder.write(#"{"autoFill":false,"future":[1]}"#, to: "preferences.json")
        let file = PreferencesFile(path: path)
        #expect(!file.preferences.autoFill)
        // But it is said: it may be a setting that is not spelled as it should be.
        #expect(file.problems.count == 1)
    }

    @Test func fileThatCannotBeWrittenChangesNothing() throws {
        var file = PreferencesFile(path: folder.path + "/missing/preferences.json")
        #expect(throws: (any Error).self) { try file.apply(.init(autoFill: false)) }
        #expect(file.preferences == PreferencesFile.defaults)
    }
}
