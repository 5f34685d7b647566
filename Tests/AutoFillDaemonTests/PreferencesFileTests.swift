// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillDaemon

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
        let read = PreferencesFile(path: path).preferences
        #expect(read == file.preferences)
        #expect(!read.autoFill)
        #expect(read.authenticationPreference == .never)
        #expect(read.authenticationMinutes == 1440)
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

    @Test(arguments: [
        "", "x", "{", "[]", "null", #"{"authentication":5}"#, #"{"authentication":"sometimes"}"#,
        #"{"authentication":"never","idleMinutes":-1}"#, #"{"idleMinutes":1e99}"#, #"{"autoFill":"no"}"#, "\u{0}",
    ])
    func fileThatCannotBeReadGivesTheDefaults(text: String) throws {
        try folder.write(text, to: "preferences.json")
        #expect(PreferencesFile(path: path).preferences == PreferencesFile.defaults)
    }

    @Test func unknownMembersAreIgnored() throws {
        try folder.write(#"{"autoFill":false,"future":[1]}"#, to: "preferences.json")
        #expect(!PreferencesFile(path: path).preferences.autoFill)
    }

    @Test func fileThatCannotBeWrittenChangesNothing() throws {
        var file = PreferencesFile(path: folder.path + "/missing/preferences.json")
        #expect(throws: (any Error).self) { try file.apply(.init(autoFill: false)) }
        #expect(file.preferences == PreferencesFile.defaults)
    }
}
