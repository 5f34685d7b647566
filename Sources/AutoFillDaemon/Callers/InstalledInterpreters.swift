// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillProviders
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// The interpreters that this machine registers or installs.
struct InstalledInterpreters: Sendable {
    private let shells: String
    private let formats: String
    private let folders: [String]
    /// The interpreters by name in each folder, as long as the folder stays as it was.
    private var names: [String: (facts: [Int], names: [String])] = [:]

    init(
        shells: String = "/etc/shells", formats: String = "/proc/sys/fs/binfmt_misc",
        folders: [String] = ["/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin"]
    ) {
        self.shells = shells
        self.formats = formats
        self.folders = folders
    }

    /// Whether a program is registered with the kernel to run others' files (binfmt_misc), or is a login shell.
    func isRegistered(_ path: String) -> Bool {
        registered().contains(path)
    }

    private func registered() -> Set<String> {
        var paths: [String] = []
        for line in SmallFile.text(shells, atMost: 1 << 20, followsLinks: true)?.split(separator: "\n") ?? []
        where line.hasPrefix("/") { paths.append(String(line)) }
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: formats)) ?? [] {
            let text = SmallFile.text("\(formats)/\(entry)", atMost: 1 << 16)
            for line in text?.split(separator: "\n") ?? [] where line.hasPrefix("interpreter ") {
                paths.append(String(line.dropFirst(12)))
            }
        }
        return Set(paths.flatMap { [$0, FileManager.default.realPath(of: $0) ?? $0] })
    }

    /// Whether a program has the contents of an interpreter that is installed. Only those of the same size are read.
    mutating func isCopy(_ descriptor: Int32, _ digest: String, _ digests: inout ProgramDigests) -> Bool {
        var its = stat()
        guard fstat(descriptor, &its) == 0 else { return false }
        var seen: Set<UInt64> = []
        for folder in folders {
            for name in names(in: folder) {
                var information = stat()
                let path = "\(folder)/\(name)"
                guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                    information.st_size == its.st_size, seen.insert(UInt64(information.st_ino)).inserted
                else { continue }
                let file = open(path, O_RDONLY | O_CLOEXEC)
                guard file >= 0 else { continue }
                defer { close(file) }
                if (try? digests.digest(of: file, at: path)) == digest { return true }
            }
        }
        return false
    }

    /// The names in a folder that are an interpreter's. A folder's times change with any name in it.
    private mutating func names(in folder: String) -> [String] {
        var information = stat()
        guard stat(folder, &information) == 0 else { return [] }
        let facts = [
            Int(bitPattern: information.st_dev), Int(bitPattern: information.st_ino),
            information.st_mtim.tv_sec, information.st_mtim.tv_nsec, information.st_ctim.tv_sec,
            information.st_ctim.tv_nsec,
        ]
        if let known = names[folder], known.facts == facts { return known.names }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter(InterpreterPolicy.isNamed)
        // Two changes within one tick of the file system's clock have the same time.
        if time(nil) - information.st_mtim.tv_sec > 2 { self.names[folder] = (facts, names) }
        return names
    }
}
