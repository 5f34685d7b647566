// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import FoundationEssentials
import Glibc
import TerminalRendering

/// `peers.json`, in which the user says whom the daemon is to trust beside those it knows. Members that this version does
/// not know stay as they are.
struct PeersList {
    let path: String
    private var content: [String: JSONValue]

    /// Reads the file; one that is not there is an empty one, one that cannot be read is left alone.
    init(path: String) throws(CommandFailure) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            content = [:]
            return
        }
        guard let bytes = FileManager.default.contents(atPath: path),
            case .object(let object) = try? JSONValue(readingText: bytes)
        else { throw CommandFailure(.storage, "\(path) cannot be read.", hint: "Correct the file or remove it.") }
        content = object
    }

    var browsers: [String] {
        get {
            guard case .array(let elements) = content["browsers"] else { return [] }
            let names = elements.compactMap { element -> String? in
                guard case .string(let name) = element else { return nil }
                return name
            }
            return names.count == elements.count ? names : []
        }
        set { content["browsers"] = .array(newValue.map { .string($0) }) }
    }

    /// False when it is there already.
    mutating func addBrowser(_ executable: String) -> Bool {
        guard !browsers.contains(executable) else { return false }
        browsers += [executable]
        return true
    }

    /// False when it is not there.
    mutating func removeBrowser(_ executable: String) -> Bool {
        guard browsers.contains(executable) else { return false }
        browsers = browsers.filter { $0 != executable }
        return true
    }

    func write() throws(CommandFailure) {
        do {
            let folder = FilePath.folder(of: path)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write(text, to: path)
        } catch {
            throw CommandFailure(.storage, "\(path) cannot be written.")
        }
    }

    /// The file, a member on each line, in the order of the names.
    private var text: [UInt8] {
        var bytes = Array("{".utf8)
        for (index, member) in content.sorted(by: { $0.key < $1.key }).enumerated() {
            bytes += Array((index == 0 ? "\n  " : ",\n  ").utf8)
            bytes += JSONText.string(member.key).line + Array(": ".utf8) + JSONText(member.value).line
        }
        return bytes + Array("\n}\n".utf8)
    }

    /// Checks what is to be trusted, and says what it is: the real path of a browser's own executable.
    static func browserExecutable(_ path: String) throws(CommandFailure) -> (path: String, isRootOwned: Bool) {
        var information = stat()
        guard let resolved = realpath(path, nil) else {
            throw CommandFailure(.notFound, "\(path): \(String(cString: strerror(errno))).")
        }
        defer { free(resolved) }
        let real = String(cString: resolved)
        guard stat(real, &information) == 0, information.st_mode & S_IFMT == S_IFREG, access(real, X_OK) == 0 else {
            throw CommandFailure(.invalidInput, "\(real) is not a program.")
        }
        if isScript(real) {
            throw CommandFailure(
                .invalidInput, "\(real) is a script that starts a browser, not the browser.",
                hint: "Start the browser, then name the file that its /proc/PID/exe points to.")
        }
        let isRootOwned = information.st_uid == 0 && information.st_mode & (S_IWGRP | S_IWOTH) == 0
        return (real, isRootOwned)
    }

    private static func isScript(_ path: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        return getc(file) == Int32(UInt8(ascii: "#")) && getc(file) == Int32(UInt8(ascii: "!"))
    }
}
