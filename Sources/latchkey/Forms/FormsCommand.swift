// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `latchkey forms`
struct FormsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forms",
        abstract: "See what AutoFill makes of forms.",
        subcommands: [ClassifyCommand.self]
    )
}
