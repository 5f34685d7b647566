// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CLinux
internal import ChildProcesses
internal import Glibc

/// Runs other programs.
package enum OtherProgram {
    /// Replaces this program by another. Returns only on failure, with `errno` set.
    package static func replaceSelf(_ path: String, _ arguments: [String]) {
        signal(SIGPIPE, SIG_DFL)
        let argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        execv(path, argv)
    }

    /// Runs another program to its end, without a shell and without input.
    ///
    /// - Parameter isOutputRead: Whether to collect its output; otherwise the output is discarded.
    /// - Returns: Its exit status (128 plus the number of a fatal signal) and its output; `nil`, with `errno` set, if
    ///   it cannot be started.
    package static func run(_ path: String, _ arguments: [String], isOutputRead: Bool) -> (
        status: Int32, output: [UInt8]
    )? {
        var ends: [Int32] = [-1, -1]
        if isOutputRead, latchkey_pipe(&ends) != 0 { return nil }
        var descriptors: [(from: Int32, to: Int32)] = [(from: 2, to: 2)]
        if isOutputRead { descriptors.append((from: ends[1], to: 1)) }
        let process = ChildProcess.spawn(path, arguments: arguments, descriptors: descriptors)
        let code = errno
        if isOutputRead { close(ends[1]) }
        defer { if isOutputRead { close(ends[0]) } }
        guard let process else {
            errno = code
            return nil
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while isOutputRead {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, output)
    }

    /// The first executable file of that name in the folders of `PATH`.
    package static func find(_ name: String, path: String?) -> String? {
        for folder in (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let candidate = String(folder) + "/" + name
            var information = stat()
            if stat(candidate, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                access(candidate, X_OK) == 0
            {
                return candidate
            }
        }
        return nil
    }
}
