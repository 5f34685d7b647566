// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Protections that a process with secrets sets up first.
public enum ProcessHardening {
    /// Forbids core dumps, and reading this memory by other processes of the user. Returns `false` if the kernel refuses.
    ///
    /// Afterwards the process's files below `/proc` belong to root.
    public static func forbidDumps() -> Bool {
        latchkey_forbid_dumps() == 0
    }

    /// Lets a debugger of the same user read this process's memory again. Core dumps remain forbidden.
    ///
    /// Only for a debug build of a provider that the user debugs: whoever attaches can read its secrets.
    public static func allowDebugger() {
        latchkey_allow_debugger()
    }
}
