// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillQuirks

@Suite final class QuirksStoreTests {
    private let folder = NSTemporaryDirectory() + "latchkey-quirks-\(UInt64.random(in: 0 ... .max))"
    private var store: QuirksStore { QuirksStore(data: folder) }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func put(_ texts: [QuirksFile: String], date: Int64 = 1) throws -> QuirksSet {
        let contents = texts.mapValues { Array($0.utf8) }
        var files: [String: QuirksSet.Entry] = [:]
        for (file, bytes) in contents {
            files[file.rawValue] = .init(
                digest: QuirksSet.digest(of: bytes), bytes: bytes.count, entries: 1, source: "x", date: date)
        }
        let set = QuirksSet(source: "x", date: date, files: files)
        try store.replace(with: set, contents: contents)
        return set
    }

    private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

    @Test func replacesTheWholeSet() throws {
        #expect(try store.current() == nil)
        _ = try put([.appDomains: "a", .suffixes: "b"])
        let second = try put([.appDomains: "c"], date: 2)
        #expect(try store.current() == second)
        #expect(store.content(of: .appDomains, in: second) == Array("c".utf8))
        #expect(store.content(of: .suffixes, in: second) == nil)
        #expect(names == ["quirks"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).count == 2)
    }

    @Test func clearsWhatAnInterruptedRunLeft() throws {
        try FileManager.default.createDirectory(atPath: folder + "/.quirks-1-2", withIntermediateDirectories: false)
        _ = try put([.appDomains: "a"])
        #expect(names == ["quirks"])
    }

    @Test func noticesAFileThatChanged() throws {
        let set = try put([.appDomains: "a"])
        try Data("b".utf8).write(to: URL(fileURLWithPath: store.folder + "/" + QuirksFile.appDomains.rawValue))
        #expect(store.content(of: .appDomains, in: set) == nil)
    }

    @Test func followsNoLinkInsideASet() throws {
        let set = try put([.appDomains: "a"])
        let file = store.folder + "/" + QuirksFile.appDomains.rawValue
        try FileManager.default.moveItem(atPath: file, toPath: folder + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: folder + "/elsewhere")
        #expect(store.content(of: .appDomains, in: set) == nil)
    }

    @Test func removesTheSet() throws {
        #expect(try !store.remove())
        _ = try put([.appDomains: "a"])
        #expect(try store.remove())
        #expect(try store.current() == nil)
        #expect(names == [])
    }

    @Test(arguments: ["", "[]", "{}", #"{"format":1}"#, #"{"format":"1"}"#, "{\"format\":1,\"source\":1}"])
    func refusesADamagedStatement(_ text: String) throws {
        _ = try put([.appDomains: "a"])
        try Data(text.utf8).write(to: URL(fileURLWithPath: store.folder + "/set.json"))
        #expect(throws: WireError.self) { try store.current() }
    }

    @Test func refusesANewerFormatAndAFolderWithoutStatement() throws {
        let set = try put([.appDomains: "a"])
        let newer = String(decoding: set.text, as: UTF8.self).replacingOccurrences(
            of: "\"format\":1", with: "\"format\":2")
        #expect(throws: WireError(.unsupportedVersion, "The quirks were written by a newer Latchkey.")) {
            try QuirksSet(Array(newer.utf8))
        }
        try FileManager.default.removeItem(atPath: store.folder + "/set.json")
        #expect(throws: WireError.self) { try store.current() }
    }

    @Test func isForOneWriterAtATime() async throws {
        let store = self.store
        try await store.locked {
            await #expect(throws: WireError.self) { try await store.locked {} }
        }
        try await store.locked {}
    }

    @Test func statesWhatItHolds() throws {
        let set = QuirksSet(
            source: "s", date: 5, files: ["a": .init(digest: "d", bytes: 1, entries: 2, source: "s", date: 5)],
            suffixesVersion: "v", suffixesDate: 4)
        #expect(try QuirksSet(set.text) == set)
        #expect(QuirksSet.digest(of: []) == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
