// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The identity of a calling program, from the kernel and root-owned files. Nothing in it is stated by the program itself.
///
/// Unsandboxed code of the same user is not a boundary: it can trace a program, or load code into it. This checks as
/// much as can be checked (`docs/threat-model.md`).
package struct CallerIdentity: Hashable, Sendable {
    /// The process identifier, for messages only: it may be reused and proves nothing later.
    package let process: Int32
    package let program: CallerProgram
    /// The verified sandbox that the caller runs in.
    package let sandbox: Sandbox?
    /// The systemd unit or scope. For information only, because every user can create one of any name.
    package let unit: String?

    package init(process: Int32, program: CallerProgram, sandbox: Sandbox?, unit: String?) {
        self.process = process
        self.program = program
        self.sandbox = sandbox
        self.unit = unit
    }

    /// A sandbox whose builder names the app.
    package enum Sandbox: Hashable, Sendable {
        /// - Parameter deployment: the root-owned folder with the app's files.
        case flatpak(identifier: String, instance: String, deployment: String)
        case snap(name: String, app: String, deployment: String)
    }
}

/// The reason why a caller cannot be identified.
package struct CallerRefusal: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
