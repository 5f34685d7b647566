// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What a process that holds secrets does to itself before anything else.
public enum ProcessHardening {
    /// No core dumps, and no memory for other processes of the user to read. False when the kernel says no.
    ///
    /// Afterwards the process's files below `/proc` belong to root.
    public static func forbidDumps() -> Bool {
        latchkey_forbid_dumps() == 0
    }

    /// Lets a debugger of the same user at this process's memory again; core dumps stay forbidden.
    ///
    /// Only for a debug build of a provider that the user debugs: who can attach to it reads what it holds.
    public static func allowDebugger() {
        latchkey_allow_debugger()
    }
}
