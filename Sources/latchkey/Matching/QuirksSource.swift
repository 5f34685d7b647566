// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillMatching
import FoundationEssentials
import TerminalRendering

/// Where commands that decide by themselves read the rules.
enum QuirksSource {
    /// The named folder, or the ones that the daemon reads. What is left out is said on standard error.
    static func load(named folder: String?) throws -> Quirks {
        let folders: QuirksFolders
        if let folder {
            let path = FilePath.absolute(folder)
            guard FilePath.isFolder(path) else { throw CommandFailure(.notFound, "There is no folder \(folder).") }
            folders = QuirksFolders(named: path)
        } else {
            folders = QuirksFolders(environment: ProcessInfo.processInfo.environment)
        }
        let quirks = folders.load()
        for problem in quirks.problems { Output.note(problem) }
        return quirks
    }
}
