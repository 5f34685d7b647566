// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import FoundationEssentials
import Glibc
import TerminalRendering

/// `latchkey demo`
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Fill a real page in a real browser, with sample accounts.",
        discussion: """
            The demonstration needs a checkout of Latchkey: it starts a Latchkey of its own, a sign-in site and \
            Chromium, and touches nothing of yours. In a checkout this runs `make demo`.
            """
    )

    func run() throws {
        guard let checkout = Self.checkout(above: DaemonConnector.programFolder) else {
            throw CommandFailure(
                .notFound, "The demonstration needs a checkout of Latchkey, and this program is not in one.",
                hint: "In a checkout, run `make demo`.")
        }
        guard let make = OtherProgram.find("make", path: ProcessInfo.processInfo.environment["PATH"]) else {
            throw CommandFailure(.notFound, "The demonstration needs make.", hint: "sudo apt install make")
        }
        OtherProgram.replaceSelf(make, ["-C", checkout, "demo"])
        throw CommandFailure(.malfunction, "\(make) cannot be started: \(String(cString: strerror(errno))).")
    }

    /// The nearest folder upwards that looks like ours: its `Makefile` is about to be run, so it has to be the user's own
    /// or root's and closed to writing by others.
    static func checkout(above folder: String) -> String? {
        var folder = folder
        while folder.count > 1 {
            let makefile = folder + "/Makefile"
            var information = stat()
            if stat(makefile, &information) == 0, [geteuid(), 0].contains(information.st_uid),
                information.st_mode & S_IWOTH == 0,
                FileManager.default.fileExists(atPath: folder + "/Sources/latchkeyd"),
                FileManager.default.fileExists(atPath: folder + "/Package.swift")
            {
                return folder
            }
            folder = FilePath.folder(of: folder)
        }
        return nil
    }
}
