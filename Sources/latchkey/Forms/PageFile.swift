// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import FormAnalysis
import FormReading
import FormStatements
import FoundationEssentials
import Glibc
import TerminalRendering

/// A file of HTML.
enum PageFile {
    /// The last part of a path.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Prints one array; nothing in it is secret, and it may be longer than memory that is locked.
    static func print(_ pages: [JSONText]) {
        var bytes: [UInt8] = []
        JSONText.array(pages).append(to: &bytes)
        Output.bytes(bytes)
    }

    static func read(_ path: String) throws(CommandFailure) -> PageDescription {
        try page(bytes(path), of: path)
    }

    /// The page that a file's bytes hold.
    static func page(_ bytes: [UInt8], of path: String) throws(CommandFailure) -> PageDescription {
        do throws(HTMLReadingError) {
            return try HTMLPage(parsing: bytes).description
        } catch  where error == .tooLarge {
            throw tooLarge(path)
        } catch {
            throw CommandFailure(.malfunction, "There is no memory to read \(path).")
        }
    }

    /// The page that a content script stated, as docs/protocol.md has it.
    static func statement(_ bytes: [UInt8], of path: String) throws(CommandFailure) -> PageDescription {
        guard let page = try? JSONDecoder().decode(PageStatement.self, from: Data(bytes)) else {
            throw CommandFailure(.invalidInput, "\(path) does not hold a page as the browser extension states it.")
        }
        return PageDescription(page)
    }

    /// What stands in a file.
    static func bytes(_ path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= HTMLPage.maximumSize else { throw tooLarge(path) }
        }
    }

    private static func failure(_ path: String, _ reason: Int32) -> CommandFailure {
        CommandFailure(
            reason == ENOENT ? .notFound : .storage, "\(path) cannot be read: \(String(cString: strerror(reason))).")
    }

    private static func tooLarge(_ path: String) -> CommandFailure {
        CommandFailure(
            .invalidInput, "\(path) is larger than \(HTMLPage.maximumSize >> 20) MB.",
            hint: "Save the page without its pictures and scripts.")
    }
}
