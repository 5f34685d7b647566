// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TerminalRendering

/// `latchkey clipboard-holder`, which `latchkey show --copy` starts.
struct ClipboardHolderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ClipboardHolder.commandName,
        abstract: "Put standard input on the clipboard for a limited time.", shouldDisplay: false)

    @Option(help: "Clear the clipboard after this many seconds.") var clearAfter: Int
    @Flag(help: "Copy even where clipboard histories cannot be told to leave it out.") var unmarked = false

    func run() throws {
        let clipboard = try Clipboard.find(allowsUnmarked: unmarked)
        guard try ClipboardHolder.run(clipboard, clearAfter: clearAfter) else {
            throw CommandFailure(.unavailable, "The clipboard could not be cleared.")
        }
    }
}
