// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import PassStore

/// A folder of a test's own.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "latchkey-store-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path + "/" + name).map { [UInt8]($0) }
    }

    var names: [String] { (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).sorted() }
}

@Suite
struct StoreFolderTests {
    private func name(_ text: String) throws -> EntryName { try #require(EntryName(text)) }

    private func code(_ body: () throws -> some Any) -> PassStoreError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? PassStoreError)?.code
        }
    }

    @Test
    func listsEntriesAndPassesOverTheRest() throws {
        let folder = try Folder()
        try folder.write([1], to: "web/shiny.example.com/rmondello.gpg")
        try folder.write([1], to: "b.example.gpg")
        for other in [".gpg-id", ".git/x.gpg", "web/notes.txt", ".hidden.gpg", "README"] {
            try folder.write([1], to: other)
        }
        let listing = try StoreFolder(path: folder.path).scan()
        #expect(listing.entries.map(\.name.text) == ["b.example", "web/shiny.example.com/rmondello"])
        #expect(listing.skipped.isEmpty)
        #expect(listing.entries.allSatisfy { $0.modified > 1_600_000_000 })
    }

    @Test("Links, pipes, sockets, and files that are empty or huge are passed over, each with its reason")
    func passesOverWhatIsNoEntry() throws {
        let (folder, outside) = (try Folder(), try Folder())
        try outside.write([1], to: "secret.gpg")
        try folder.write([1], to: "real.example.gpg")
        let path = folder.path
        symlink(outside.path + "/secret.gpg", path + "/file-link.gpg")
        symlink(outside.path, path + "/folder-link.gpg")
        symlink(outside.path, path + "/folder")
        symlink(path, path + "/loop.gpg")
        mkfifo(path + "/pipe.gpg", 0o600)
        try folder.write([], to: "empty.gpg")
        try folder.write([1], to: "huge.gpg")
        truncate(path + "/huge.gpg", 1 << 40)
        try FileManager.default.createDirectory(atPath: path + "/dir.gpg", withIntermediateDirectories: true)
        let store = try StoreFolder(path: path)
        let listing = try store.scan()
        #expect(listing.entries.map(\.name.text) == ["real.example"])
        #expect(
            Set(listing.skipped.map(\.path))
                == ["file-link.gpg", "folder-link.gpg", "loop.gpg", "pipe.gpg", "empty.gpg", "huge.gpg"])
        #expect(listing.skipped.allSatisfy { !$0.reason.isEmpty })
        for entry in ["file-link", "pipe", "empty", "huge", "dir"] {
            let name = try name(entry)
            #expect(code { try store.ciphertext(of: name) } == .unreadable, "\(entry)")
        }
        let through = try name("folder/secret")
        #expect(code { try store.ciphertext(of: through) } != nil)
        #expect(code { try store.add([1], as: through) } != nil)
        #expect(code { try store.remove([1], through) } != nil)
        #expect(code { try store.recipients(for: through) } == .recipients)
        #expect(outside.names == ["secret.gpg"])
    }

    @Test("S20: file names that control a terminal, reorder text or are no text are passed over and shown as escapes")
    func passesOverHostileNames() throws {
        let folder = try Folder()
        let hostile = ["a\nb.gpg", "a\u{1B}[2J.gpg", "a\u{202E}gpg.moc.gpg", "a\u{200B}.gpg", "a\rb.gpg", "a\tb.gpg"]
        for name in hostile { try folder.write([1], to: name) }
        let bytes: [CChar] = (folder.path + "/").utf8.map { CChar(bitPattern: $0) } + [-1, -2, 46, 103, 112, 103, 0]
        let descriptor = creat(bytes, 0o600)
        #expect(descriptor >= 0)
        #expect(write(descriptor, "x", 1) == 1)
        close(descriptor)
        try folder.write([1], to: "bad\nfolder/fine.gpg")
        let listing = try StoreFolder(path: folder.path).scan()
        #expect(listing.entries.isEmpty)
        #expect(listing.skipped.count == hostile.count + 2)
        #expect(listing.skipped.allSatisfy { $0.path.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
    }

    @Test
    func refusesStoresThatAreNone() throws {
        let folder = try Folder()
        try folder.write([1], to: "file")
        for path in [folder.path + "/nothing", folder.path + "/file", "", "/nowhere/at/all"] {
            #expect(code { try StoreFolder(path: path) } == .folder)
        }
        symlink(folder.path, folder.path + "-link")
        defer { unlink(folder.path + "-link") }
        #expect(try StoreFolder(path: folder.path + "-link").path.hasSuffix("-link") == false)
    }

    @Test
    func addsReplacesAndRemovesOnlyWhatWasSeen() throws {
        let folder = try Folder()
        let store = try StoreFolder(path: folder.path)
        let name = try name("web/a.example/u")
        try store.add([1, 2], as: name)
        #expect(try store.ciphertext(of: name) == [1, 2])
        #expect(code { try store.add([3], as: name) } == .exists)
        #expect(code { try store.replace([9], with: [3], in: name) } == .changed)
        #expect(code { try store.remove([9], name) } == .changed)
        #expect(try store.ciphertext(of: name) == [1, 2])
        try store.replace([1, 2], with: [3], in: name)
        var information = stat()
        #expect(lstat(folder.path + "/web/a.example/u.gpg", &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        #expect(folder.names == ["web", "web/a.example", "web/a.example/u.gpg"])
        try store.remove([3], name)
        #expect(folder.names == [])
        #expect(code { try store.ciphertext(of: name) } == .noEntry)
        #expect(code { try store.remove([3], name) } == .noEntry)
    }

    @Test
    func findsTheRecipientsOfTheNearestFolder() throws {
        let folder = try Folder()
        try folder.write(Array("root@example.com # me\n\n# nobody\n0xABCD\t\r\n".utf8), to: ".gpg-id")
        try folder.write(Array("team@example.com".utf8), to: "team/.gpg-id")
        let store = try StoreFolder(path: folder.path)
        #expect(try store.recipients(for: name("a.example/u")) == ["root@example.com", "0xABCD"])
        #expect(try store.recipients(for: name("team/deep/er/u")) == ["team@example.com"])
        #expect(try store.recipients(for: name("teams/u")) == ["root@example.com", "0xABCD"])
    }

    @Test(
        "Recipients that cannot be right are refused, and so is a list that is signed",
        arguments: ["", "# nobody\n", "--output=/tmp/x\n", "a\u{0}b\n", "a\u{1B}b\n"])
    func refusesOtherRecipients(text: String) throws {
        let folder = try Folder()
        try folder.write(Array(text.utf8), to: ".gpg-id")
        let store = try StoreFolder(path: folder.path)
        let name = try name("a.example/u")
        #expect(code { try store.recipients(for: name) } == .recipients)
        try folder.write(Array("me@example.com".utf8), to: ".gpg-id")
        try folder.write([1], to: ".gpg-id.sig")
        #expect(code { try store.recipients(for: name) } == .recipients)
    }
}
