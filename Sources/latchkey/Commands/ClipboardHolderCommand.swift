// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey clipboard-holder`, which whatever copies a password starts (`ClipboardHolderProcess`).
struct ClipboardHolderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ClipboardHolderProcess.command,
        abstract: "Put standard input on the clipboard for a limited time.", shouldDisplay: false)

    @Option(help: "Clear the clipboard after this many seconds.") var clearAfter: Int
    @Flag(help: "Copy even where clipboard histories cannot be told to leave it out.") var unmarked = false

    @Flag(help: "Copy nothing: only find out whether it could be done.") var check = false

    func run() throws {
        let clipboard: Clipboard
        do {
            clipboard = try Clipboard.find(allowsUnmarked: unmarked)
        } catch {
            ClipboardHolder.say(error)
            throw error
        }
        if check { return ClipboardHolder.sayReady() }
        guard try ClipboardHolder.run(clipboard, clearAfter: clearAfter) else {
            throw CommandFailure(.unavailable, "The clipboard could not be cleared.")
        }
    }
}
