// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Glibc

/// `peers.json`, in which the user says whom the daemon is to trust beside those it knows. Members that this version does
/// not know stay as they are.
struct PeersList {
    let path: String
    private var content: [String: Any]

    /// Reads the file; one that is not there is an empty one, one that cannot be read is left alone.
    init(path: String) throws(CommandFailure) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            content = [:]
            return
        }
        guard let bytes = FileManager.default.contents(atPath: path),
            let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        else { throw CommandFailure(.storage, "\(path) cannot be read.", hint: "Mend it or remove it.") }
        content = object
    }

    var browsers: [String] { content["browsers"] as? [String] ?? [] }

    /// False when it is there already.
    mutating func addBrowser(_ executable: String) -> Bool {
        guard !browsers.contains(executable) else { return false }
        content["browsers"] = browsers + [executable]
        return true
    }

    /// False when it is not there.
    mutating func removeBrowser(_ executable: String) -> Bool {
        guard browsers.contains(executable) else { return false }
        content["browsers"] = browsers.filter { $0 != executable }
        return true
    }

    func write() throws(CommandFailure) {
        do {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let bytes = try JSONSerialization.data(
                withJSONObject: content, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            try AtomicFile.write(Array(bytes) + [UInt8(ascii: "\n")], to: path)
        } catch {
            throw CommandFailure(.storage, "\(path) cannot be written.")
        }
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
            throw CommandFailure(.invalidInput, "\(real) is no program.")
        }
        if isScript(real) {
            throw CommandFailure(
                .invalidInput, "\(real) is a script that starts a browser, not the browser.",
                hint: "Start the browser, then name what /proc/PID/exe of it points to.")
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
