// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Identifies callers. It is an actor of its own, because digests of large programs take a while.
actor CallerInspector {
    private let sandboxes: SandboxReader
    private var digests = ProgramDigests()
    private var interpreters = InstalledInterpreters()
    private var functions = InterpreterFunctions()

    /// - Parameter runtime: `$XDG_RUNTIME_DIR`.
    init(
        runtime: String = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "", user: UInt32 = geteuid()
    ) {
        sandboxes = SandboxReader(runtime: runtime, user: user)
    }

    /// Identifies the process at the other end of a connection.
    ///
    /// - Throws: `CallerRefusal` when it cannot be identified for certain.
    func identity(of process: PeerProcess) throws(CallerRefusal) -> CallerIdentity {
        let finding = try sandboxes.sandbox(of: process)
        let program = try program(of: process, places: finding?.places ?? [])
        let identity = CallerIdentity(
            process: process.process, program: program, sandbox: finding?.sandbox,
            unit: process.controlGroup.flatMap(ControlGroup.unit))
        guard process.isAlive else { throw CallerRefusal("it has ended") }
        return identity
    }

    /// The programs above a process, the nearest first. The list ends at the first one that cannot be inspected.
    func parents(of process: PeerProcess) -> [CallerProgram] {
        var parents: [CallerProgram] = []
        for ancestor in process.ancestors() {
            guard let program = try? self.program(of: ancestor) else { break }
            parents.append(program)
        }
        return parents
    }

    /// The program that a process runs.
    ///
    /// - Parameter places: where the folders of its view are here, for a process in a sandbox.
    func program(
        of process: PeerProcess, places: [(inside: String, outside: String)] = []
    ) throws(CallerRefusal) -> CallerProgram {
        guard let executable = process.executable else { throw CallerRefusal("its executable cannot be seen") }
        // A process with its own mounts can have any file at any path: the file here must be the very file that it runs.
        let names =
            [executable.path]
            + places.compactMap { inside, outside in
                executable.path.pathPart(below: inside).map { outside + "/" + $0 }
            }
        guard
            let path = names.last(where: {
                PeerProcess.Executable(path: $0)?.isSameFile(as: executable) == true
            })
        else {
            throw CallerRefusal(
                "\(executable.path) is not its executable: the file was replaced, or the process has its own mounts")
        }
        guard let descriptor = process.openExecutable() else { throw CallerRefusal("its executable cannot be read") }
        defer { close(descriptor) }
        let digest = try digests.digest(of: descriptor, at: path)
        let standing = TrustedPath.standing(of: path)
        let code = process.mappedCode
        return CallerProgram(
            path: path, digest: digest, standing: standing,
            interpreter: InterpreterPolicy.reason(
                .init(
                    path: path, isRegistered: interpreters.isRegistered(path),
                    // Only a program that root does not own can be a renamed copy; a program of root's keeps the name that root gave it.
                    isCopy: standing != .rootOwned && interpreters.isCopy(descriptor, digest, &digests),
                    function: standing == .rootOwned ? nil : functions.function(in: descriptor, digest),
                    script: Self.script(process.arguments, run: executable), code: code?.map(\.path) ?? [])),
            // Checked for programs that only root can change: mapped code that somebody else can change.
            foreignCode: standing == .rootOwned ? Self.foreign(code, places, sharesMounts: process.sharesMounts) : nil)
    }

    /// Identifies a program that may run later. Its path must be absolute and contain no links.
    func program(at path: String) throws(CallerRefusal) -> CallerProgram {
        guard let real = FileManager.default.realPath(of: path) else { throw CallerRefusal("there is no such file") }
        guard real == path else { throw CallerRefusal("it is a link, or below one: its real path is \(real)") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw CallerRefusal("it cannot be read") }
        defer { close(descriptor) }
        let digest = try digests.digest(of: descriptor, at: path)
        guard access(path, X_OK) == 0 else { throw CallerRefusal("it cannot be run") }
        var beginning = [UInt8](repeating: 0, count: 4)
        guard pread(descriptor, &beginning, 4, 0) == 4, beginning == [0x7F, 0x45, 0x4C, 0x46] else {
            throw CallerRefusal("it is not an ELF program, so an interpreter would run code that others wrote")
        }
        let standing = TrustedPath.standing(of: path)
        return CallerProgram(
            path: path, digest: digest, standing: standing,
            interpreter: InterpreterPolicy.reason(
                .init(
                    path: path, isRegistered: interpreters.isRegistered(path),
                    isCopy: standing != .rootOwned && interpreters.isCopy(descriptor, digest, &digests),
                    function: standing == .rootOwned ? nil : functions.function(in: descriptor, digest))))
    }

    /// The script that the process's arguments name. The process can state anything, so this is only used against it.
    private static func script(_ arguments: [String], run executable: PeerProcess.Executable) -> String? {
        for argument in arguments.dropFirst().prefix(8) where argument.hasPrefix("/") {
            guard let line = SmallFile.beginning(of: argument, 256), line.starts(with: "#!".utf8) else { continue }
            let words = String(decoding: line.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self).split(separator: " ")
            guard let named = words.first.map(String.init) else { continue }
            if PeerProcess.Executable(path: named)?.isSameFile(as: executable) == true { return argument }
        }
        return nil
    }

    /// The path of mapped code that others than root can change; `nil` if there is none.
    private static func foreign(
        _ code: [PeerProcess.MappedFile]?, _ places: [(inside: String, outside: String)], sharesMounts: Bool
    ) -> String? {
        guard let code else { return "its loaded code cannot be read" }
        for file in Set(code).sorted(by: { $0.path < $1.path }) where file.path.hasPrefix("/") {
            let path = file.path
            let names =
                [path]
                + places.compactMap { inside, outside in
                    path.pathPart(below: inside).map { outside + "/" + $0 }
                }
            let isRoots = names.contains { name in
                // With its own mounts the process may see another file at that path.
                TrustedPath.standing(of: name) == .rootOwned && (sharesMounts || file.isFile(at: name))
            }
            guard isRoots else { return path }
        }
        return nil
    }
}
