// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct InterpreterPolicyTests {
    @Test(
        "S21: interpreters are known by their names, whatever the version",
        arguments: [
            "/usr/bin/python", "/usr/bin/python3", "/usr/bin/python3.11", "/usr/bin/python3.13t",
            "/opt/pypy/bin/pypy3.10",
            "/bin/sh", "/usr/bin/bash", "/usr/bin/dash", "/usr/bin/zsh-5.9", "/usr/bin/busybox", "/usr/bin/env",
            "/usr/bin/perl", "/usr/bin/perl5.36.0", "/usr/bin/ruby3.1", "/usr/bin/node", "/usr/bin/nodejs",
            "/usr/bin/node-20",
            "/usr/lib/jvm/java-17/bin/java", "/usr/bin/php8.2", "/usr/bin/lua5.4", "/usr/bin/guile-3.0", "/usr/bin/gjs",
            "/usr/bin/gjs-console", "/usr/bin/qemu-x86_64", "/usr/bin/qemu-aarch64-static",
            "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1", "/usr/bin/wine64-preloader",
            "/usr/bin/Rscript", "/usr/bin/tclsh8.6", "/usr/bin/mono-sgen", "/usr/bin/dotnet", "/usr/bin/emacs-28.2",
            "/usr/bin/gdb", "/usr/bin/mawk", "/usr/bin/awk",
        ])
    func interpreters(path: String) {
        #expect(InterpreterPolicy.reason(.init(path: path)) != nil)
    }

    @Test(arguments: [
        "/usr/bin/latchkey-demo-app", "/usr/bin/git", "/usr/lib/git-core/git-remote-https", "/usr/bin/shiny",
        "/usr/bin/ssh",
        "/usr/bin/thunderbird", "/usr/bin/basher", "/usr/bin/nodemon", "/usr/bin/rubyripper", "/usr/bin/2048",
    ])
    func others(path: String) {
        #expect(InterpreterPolicy.reason(.init(path: path)) == nil)
    }

    @Test("S21: an interpreter under another name is told by registration, contents, its script and its libraries")
    func disguised() {
        let path = "/home/me/shiny"
        #expect(InterpreterPolicy.reason(.init(path: path, isRegistered: true)) != nil)
        #expect(InterpreterPolicy.reason(.init(path: path, isCopy: true)) != nil)
        #expect(
            InterpreterPolicy.reason(.init(path: path, script: "/home/me/script"))?.contains("/home/me/script") == true)
        for library in [
            "libpython3.11.so.1.0", "libperl.so.5.36", "libruby-3.1.so", "libjvm.so", "libmozjs-115.so.0", "libnode.so",
        ] {
            let facts = InterpreterPolicy.Facts(path: path, code: ["/usr/lib/libc.so.6", "/usr/lib/" + library])
            #expect(InterpreterPolicy.reason(facts)?.contains(library) == true)
        }
        let harmless = [
            "/usr/lib/libc.so.6", "/usr/lib/libperlish.so", "/usr/lib/librubyish.so.1", "/usr/lib/libluminous.so",
        ]
        #expect(InterpreterPolicy.reason(.init(path: path, code: harmless)) == nil)
    }

    @Test("S21: shells of the list and formats of the kernel are interpreters")
    func registered() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try folder.write("# shells\n/opt/odd/shell\n", to: "shells")
        let formats = folder.path + "/formats"
        try FileManager.default.createDirectory(atPath: formats, withIntermediateDirectories: false)
        try folder.write("enabled\ninterpreter /opt/odd/machine\nflags: \n", to: "formats/odd")
        try folder.write("enabled\n", to: "formats/status")
        let installed = InstalledInterpreters(shells: folder.path + "/shells", formats: formats, folders: [])
        #expect(installed.isRegistered("/opt/odd/shell"))
        #expect(installed.isRegistered("/opt/odd/machine"))
        #expect(!installed.isRegistered("/opt/odd"))
        let none = InstalledInterpreters(shells: "/nowhere", formats: "/nowhere", folders: ["/nowhere"])
        #expect(!none.isRegistered("/bin/sh"))
    }

    @Test("S21: a copy of an interpreter is one")
    func copies() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try folder.write("the interpreter", to: "python3")
        try folder.write("the interpreter", to: "shiny")
        try folder.write("the interpretes", to: "other")
        var installed = InstalledInterpreters(shells: "", formats: "", folders: [folder.path])
        var digests = ProgramDigests()
        for (name, isCopy) in [("shiny", true), ("other", false)] {
            let file = open(folder.path + "/" + name, O_RDONLY)
            defer { close(file) }
            let digest = try digests.digest(of: file, at: folder.path + "/" + name)
            #expect(installed.isCopy(file, digest, &digests) == isCopy)
        }
    }

    @Test("S21: an interpreter that is installed or taken away later counts from then on", arguments: [0, 3_600])
    func later(secondsSinceChange: TimeInterval) throws {
        let folder = try TemporaryFolder(inMemory: true)
        func settle(_ step: TimeInterval) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: step - secondsSinceChange)], ofItemAtPath: folder.path)
        }
        try folder.write("the interpreter", to: "shiny")
        try settle(0)
        var installed = InstalledInterpreters(shells: "", formats: "", folders: [folder.path])
        var digests = ProgramDigests()
        func isCopy() throws -> Bool {
            let file = open(folder.path + "/shiny", O_RDONLY)
            defer { close(file) }
            let digest = try digests.digest(of: file, at: folder.path + "/shiny")
            return installed.isCopy(file, digest, &digests)
        }
        #expect(try !isCopy())
        try folder.write("the interpreter", to: "python3")
        try settle(1)
        #expect(try isCopy())
        try FileManager.default.moveItem(atPath: folder.path + "/python3", toPath: folder.path + "/other")
        try settle(2)
        #expect(try !isCopy())
    }

    @Test("S21: an interpreter is told by its functions, wherever they stand in the file")
    func functions() throws {
        let folder = try TemporaryFolder(inMemory: true)
        func function(_ bytes: [UInt8]) throws -> String? {
            let path = folder.path + "/program"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let file = open(path, O_RDONLY)
            defer { close(file) }
            var functions = InterpreterFunctions()
            return functions.function(in: file, "d")
        }
        let name = Array("Py_BytesMain".utf8)
        for before in [1, 20, (1 << 18) - 13, (1 << 18) - 12, (1 << 18) - 5, (1 << 18), 1 << 19, 300_000] {
            for filling in [0, 0x41] as [UInt8] {
                let bytes = [UInt8](repeating: filling, count: before - 1) + [0] + name + [0, 1, 2]
                #expect(try function(bytes) == "Py_BytesMain", "\(before)")
            }
        }
        #expect(try function([UInt8](repeating: 0x41, count: 20) + name + [0]) == nil)
        #expect(try function([0] + name + [0x41, 0]) == nil)
        #expect(try function([0] + name) == nil)
        #expect(try function([]) == nil)
        #expect(try function([0, 0, 0]) == nil)
        #expect(InterpreterPolicy.reason(.init(path: "/home/me/shiny", function: "Py_BytesMain")) != nil)
    }
}
