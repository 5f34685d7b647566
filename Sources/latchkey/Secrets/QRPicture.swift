// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import FoundationEssentials
import Glibc
import TerminalRendering

/// The text of a QR code in a picture, read by zbar's own program in a process of its own.
///
/// A picture comes from anywhere, and zbar's library reads nothing but bare pixels: what takes PNG, JPEG and the rest apart
/// stays out of this process, which holds secrets, and where bubblewrap works it has neither files nor network.
struct QRPicture {
    /// The longest picture, in bytes.
    static let limit: off_t = 64 << 20
    let path: String

    func text() throws(CommandFailure) -> SecretBytes {
        let environment = ProcessInfo.processInfo.environment
        guard let program = OtherProgram.find("zbarimg", path: environment["PATH"]) else {
            throw CommandFailure(
                .notFound, "zbarimg, which reads QR codes, is not installed.",
                hint: "Install it (Debian: zbar-tools), or give the link with --otp-uri-file.")
        }
        let picture = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard picture >= 0 else {
            let reason = errno
            throw CommandFailure(
                reason == ENOENT ? .notFound : .storage, "\(path) cannot be read: \(String(cString: strerror(reason)))."
            )
        }
        defer { close(picture) }
        var status = stat()
        guard fstat(picture, &status) == 0, status.st_mode & S_IFMT != S_IFDIR, status.st_size <= Self.limit else {
            throw CommandFailure(.invalidInput, "\(name) is not a picture of at most \(Self.limit >> 20) MiB.")
        }
        return try text(of: picture, by: program, in: environment)
    }

    private var name: String { path == "-" ? "Standard input" : path }

    private func text(
        of picture: Int32, by program: String, in environment: [String: String]
    ) throws(CommandFailure) -> SecretBytes {
        guard let pipe = PipeEnds() else { throw CommandFailure(.malfunction, "There are no descriptors left.") }
        // Without `--nodbus` it would send what it reads to everybody on the bus who listens.
        let scan = [program, "--quiet", "--raw", "--oneshot", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-"]
        let command = Self.confined(scan, in: environment)
        let process = ChildProcess.spawn(
            command[0], arguments: Array(command.dropFirst()),
            descriptors: [(picture, Int32(STDIN_FILENO)), (pipe.writing, Int32(STDOUT_FILENO))],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        pipe.closeWriting()
        guard let process else { throw CommandFailure(.malfunction, "\(program) cannot be started.") }
        let output = pipe.readAll(limit: SecretSource.limit, milliseconds: 20_000)
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard let output, output.count > 0, status == 0 else {
            throw CommandFailure(
                .invalidInput, "\(name) shows no QR code that can be read.",
                hint: "Take a picture of the code alone, or give the link with --otp-uri-file.")
        }
        return output.trimmingOneFinalNewline()
    }

    private static func confined(_ command: [String], in environment: [String: String]) -> [String] {
        guard let program = Bubblewrap(environment: environment).program else { return command }
        return [program, "--unshare-all", "--die-with-parent", "--new-session"] + Bubblewrap.systemArguments
            + ["--ro-bind-try", "/etc/ImageMagick-6", "/etc/ImageMagick-6"]
            + ["--ro-bind-try", "/etc/ImageMagick-7", "/etc/ImageMagick-7"]
            + ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--"] + command
    }
}
