// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Which program calls, as the kernel and root-owned files say; nothing in it is the program's own word.
///
/// Code of the same user outside a sandbox is no boundary: it can trace a program, or load code into it. What can be checked is
/// checked (`docs/threat-model.md`).
package struct CallerIdentity: Hashable, Sendable {
    /// The process, for messages; its number is nobody's proof later.
    package let process: Int32
    package let program: CallerProgram
    /// The sandbox it runs in, checked.
    package let sandbox: Sandbox?
    /// The systemd unit or scope: information only, since every user can make any.
    package let unit: String?
    /// The programs of the processes above it, the nearest first. One that cannot be seen ends the list.
    package let parents: [CallerProgram]

    package init(
        process: Int32, program: CallerProgram, sandbox: Sandbox?, unit: String?, parents: [CallerProgram]
    ) {
        self.process = process
        self.program = program
        self.sandbox = sandbox
        self.unit = unit
        self.parents = parents
    }

    /// A sandbox whose builder names the app.
    package enum Sandbox: Hashable, Sendable {
        /// - Parameter deployment: the root-owned folder with the app's files.
        case flatpak(identifier: String, instance: String, deployment: String)
        case snap(name: String, app: String, deployment: String)
    }
}

/// Why a caller cannot be identified.
package struct CallerRefusal: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
