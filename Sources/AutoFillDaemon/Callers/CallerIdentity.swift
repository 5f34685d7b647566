// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Which program calls, as the kernel and root-owned files say; nothing in it is the program's own word.
///
/// Code of the same user outside a sandbox is no boundary: it can trace a program, or load code into it. What can be checked is
/// checked (`docs/threat-model.md`).
struct CallerIdentity: Hashable, Sendable {
    /// The process, for messages; its number is nobody's proof later.
    let process: Int32
    let program: CallerProgram
    /// The sandbox it runs in, checked.
    let sandbox: Sandbox?
    /// The systemd unit or scope: information only, since every user can make any.
    let unit: String?
    /// The programs of the processes above it, the nearest first. One that cannot be seen ends the list.
    let parents: [CallerProgram]

    /// A sandbox whose builder names the app.
    enum Sandbox: Hashable, Sendable {
        /// - Parameter deployment: the root-owned folder with the app's files.
        case flatpak(identifier: String, instance: String, deployment: String)
        case snap(name: String, app: String, deployment: String)
    }
}

/// Why a caller cannot be identified.
struct CallerRefusal: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
