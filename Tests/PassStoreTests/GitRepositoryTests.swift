// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PassTesting
import ProcessTesting
import Testing

@testable import PassStore

extension RealStore {
    func repository(of name: EntryName) throws -> GitRepository? {
        let place = GitRepository.Place(git: "/usr/bin/git", scratch: folder, environment: environment)
        return GitRepository(of: name, in: try StoreFolder(path: store), place, programs: ProgramRunner())
    }

    func commit(_ name: EntryName, _ bytes: [UInt8]?, _ message: String = "Change.") async throws {
        let repository = try #require(try repository(of: name))
        try await repository.publish(try await repository.prepare([repository.change(name, bytes)], message: message))
    }
}

@Suite(
    .tags(.startsProcess), .serialized, .timeLimit(.minutes(2)),
    .enabled(if: RealStore.isAvailable, Comment(rawValue: RealStore.absence)))
struct GitRepositoryTests {
    private let name = EntryName("web/a.example/u")

    @Test
    func commitsOneFileAndLeavesTheRestAlone() async throws {
        let real = try RealStore(hasGit: true, hasKeys: false)
        let name = try #require(name)
        try real.write("staged", to: "store/staged")
        try real.git("add", "staged")
        try real.write("loose", to: "store/loose")
        try StoreFolder(path: real.store).add([1, 2, 3], as: name)
        try await real.commit(name, [1, 2, 3], "Add it.\n\nWith $(touch x) and \"quotes\".")
        #expect(try real.git("status", "--porcelain") == "A  staged\n?? loose\n")
        #expect(
            try real.git("show", "--format=%an %s", "--name-status", "HEAD")
                == "Somebody Add it.\n\nA\tweb/a.example/u.gpg\n")
        #expect(try real.git("fsck", "--strict") == "")
    }

    @Test("Hooks, filters, monitors, signing and editors of a repository are not run")
    func runsNothingOfTheRepository() async throws {
        let real = try RealStore(hasGit: true, hasKeys: false)
        let name = try #require(name)
        let script = "#!/bin/sh\ntouch \(real.folder)/ran\ncat\n"
        try real.write(script, to: "script")
        try real.run("chmod", ["+x", real.folder + "/script"])
        let hooks = [
            "pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change", "post-checkout",
        ]
        for hook in hooks {
            try real.write(script, to: "store/.git/hooks/\(hook)")
            try real.run("chmod", ["+x", real.store + "/.git/hooks/\(hook)"])
        }
        for (key, value) in [
            ("filter.x.clean", real.folder + "/script"), ("filter.x.smudge", real.folder + "/script"),
            ("core.fsmonitor", real.folder + "/script"), ("core.editor", real.folder + "/script"),
            ("core.pager", real.folder + "/script"), ("diff.gpg.textconv", real.folder + "/script"),
            ("gpg.program", real.folder + "/script"), ("commit.gpgSign", "true"), ("log.showSignature", "true"),
            ("core.hooksPath", real.store + "/.git/hooks"),
        ] {
            try real.git("config", key, value)
        }
        try real.write("*.gpg filter=x diff=gpg\n", to: "store/.gitattributes")
        try? FileManager.default.removeItem(atPath: real.folder + "/ran")
        try StoreFolder(path: real.store).add([1], as: name)
        try await real.commit(name, [1])
        try await real.commit(name, nil)
        let repository = try #require(try real.repository(of: name))
        #expect(try await repository.history(of: name).map(\.bytes) == [nil, [1]])
        #expect(try await repository.removed().map(\.name) == [name])
        #expect(try await repository.lastBeforeRemoval(of: name) == [1])
        #expect(!FileManager.default.fileExists(atPath: real.folder + "/ran"))
    }

    @Test
    func commitsNothingWhenTheBranchHasMoved() async throws {
        let real = try RealStore(hasGit: true, hasKeys: false)
        let name = try #require(name)
        let repository = try #require(try real.repository(of: name))
        let prepared = try await repository.prepare([repository.change(name, [1])], message: "Late.")
        try await real.commit(name, [2], "First.")
        await #expect(throws: PassStoreError.self) { try await repository.publish(prepared) }
        #expect(try real.git("log", "-1", "--format=%s") == "First.\n")
    }

    @Test
    func makesTheFirstCommitAndNamesSomebody() async throws {
        let real = try RealStore(hasKeys: false)
        let name = try #require(name)
        #expect(try real.repository(of: name) == nil)
        try real.git("init", "-q")
        try await real.commit(name, [1])
        #expect(try real.git("log", "--format=%an <%ae>") == "Latchkey <latchkey@localhost>\n")
        try real.git("-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "--allow-empty", "-q", "-m", "x")
        try await real.commit(name, nil)
        #expect(try real.git("log", "-1", "--format=%an <%ae>") == "A <a@b.example>\n")
    }

    @Test
    func findsTheNearestRepositoryInTheStoreAndNoneAboveIt() async throws {
        let real = try RealStore(hasKeys: false)
        let name = try #require(EntryName("team/a.example/u"))
        try real.run("git", ["init", "-q", real.folder])
        #expect(try real.repository(of: name) == nil)
        try real.run("git", ["init", "-q", real.store + "/team"])
        let repository = try #require(try real.repository(of: name))
        #expect(repository.folder == real.store + "/team")
        #expect(repository.path(of: name) == "a.example/u.gpg")
        try await real.commit(name, [1])
        try await real.commit(name, nil)
        #expect(try await repository.removed().map(\.name) == [name])
        let elsewhere = try RealStore(hasGit: true, hasKeys: false)
        try FileManager.default.createSymbolicLink(
            atPath: real.store + "/.git", withDestinationPath: elsewhere.store + "/.git")
        #expect(try real.repository(of: try #require(EntryName("b.example/u"))) == nil)
    }

    @Test
    func neverGoesUpWhenTheRepositoryIsNone() async throws {
        let real = try RealStore(hasKeys: false)
        try real.run("git", ["init", "-q", real.folder])
        try FileManager.default.createDirectory(atPath: real.store + "/.git", withIntermediateDirectories: true)
        let name = try #require(name)
        let repository = try #require(try real.repository(of: name))
        await #expect(throws: PassStoreError.self) {
            try await repository.prepare([repository.change(name, [1])], message: "x")
        }
        await #expect(throws: PassStoreError.self) { try await repository.history(of: name) }
    }

    @Test
    func takesNamesLiterally() async throws {
        let real = try RealStore(hasGit: true, hasKeys: false)
        for text in ["*", ":(top)x", "a b/c,d", "-rf", "naïve/日本", "\"quoted\""] {
            let name = try #require(EntryName(text))
            try await real.commit(name, Array(text.utf8))
            let repository = try #require(try real.repository(of: name))
            #expect(try await repository.history(of: name).map(\.bytes) == [Array(text.utf8)], "\(text)")
            try await real.commit(name, nil)
            #expect(try await repository.lastBeforeRemoval(of: name) == Array(text.utf8), "\(text)")
        }
    }
}
