// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import AutoFillDaemon
internal import AutoFillIPC
internal import CLinux
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Logging

/// The user's daemon.
@main
struct LatchkeyDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latchkeyd", abstract: "Latchkey's daemon: suggestions, the gate, the identity store.",
        discussion: "It is started by systemd or by `latchkey` when it is needed.", version: latchkeyVersion)

    @Flag(help: "Write to standard error only if something is wrong.")
    var background = false

    @Option(help: .hidden)
    var readyDescriptor: Int32?

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        latchkey_forbid_dumps()
        umask(0o077)
        LoggingSystem.bootstrap { CleanLogHandler(label: $0) }
        var logger = Logger(label: "latchkeyd")
        logger.logLevel = background ? .warning : .info
        guard let directories = Directories(environment: ProcessInfo.processInfo.environment) else {
            throw ValidationError("There is no home folder to work in.")
        }
        // Listened for before anybody can know that this process is there, so that none is lost.
        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        let signals = [SIGTERM, SIGINT, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { ending.yield() }
            // Dispatch sets the signal's handler itself; until it has, the signal ends the process, which is right too.
            source.resume()
            return source
        }
        let daemon: Daemon
        do {
            daemon = try await Daemon(
                directories: directories, folder: DaemonConnector.programFolder,
                environment: ProcessInfo.processInfo.environment, user: geteuid(), activated: activatedSockets(),
                logger: logger)
        } catch let error as WireError {
            var standardError = FileHandleStream()
            print("latchkeyd: \(error.message)", to: &standardError)
            if let hint = error.hint { print("hint: \(hint)", to: &standardError) }
            // The program that started this one has no other way to learn the reason.
            if let readyDescriptor {
                let text = [error.message, error.hint].compactMap(\.self).joined(separator: "\n")
                try? FileHandle(fileDescriptor: readyDescriptor).write(contentsOf: Data(text.utf8.prefix(2_048)))
            }
            throw ExitCode(error.code == .alreadyExists ? 13 : 1)
        }
        logger.info("listening", metadata: ["socket": "\(directories.socket)"])
        if let readyDescriptor { close(readyDescriptor) }
        Task {
            for await _ in endings { await daemon.stop() }
        }
        await daemon.run()
        withExtendedLifetime(signals) {}
    }

    /// The sockets that systemd passes by socket activation (sd_listen_fds(3)), by their paths, if it was this process that it meant.
    private func activatedSockets() -> [String: Int32] {
        guard let process = getenv("LISTEN_PID"), let count = getenv("LISTEN_FDS"),
            Int32(String(cString: process)) == getpid(), let count = Int32(String(cString: count)),
            (1...16).contains(count)
        else { return [:] }
        unsetenv("LISTEN_PID")
        unsetenv("LISTEN_FDS")
        var sockets: [String: Int32] = [:]
        for descriptor in 3..<3 + count {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            if let path = ListeningSocket.path(of: descriptor) { sockets[path] = descriptor }
        }
        return sockets
    }
}

private struct FileHandleStream: TextOutputStream {
    mutating func write(_ string: String) {
        FileHandle.standardError.write(Data(string.utf8))
    }
}
