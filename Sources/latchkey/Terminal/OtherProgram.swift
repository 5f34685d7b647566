// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Programs other than this one.
enum OtherProgram {
    /// Runs another program in the place of this one; returns, with `errno`, only when that fails.
    static func replaceSelf(_ path: String, _ arguments: [String]) {
        signal(SIGPIPE, SIG_DFL)
        let argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        execv(path, argv)
    }

    /// The first folder of `PATH` that holds an executable file of that name.
    static func find(_ name: String, path: String?) -> String? {
        for folder in (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let candidate = String(folder) + "/" + name
            var information = stat()
            if stat(candidate, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                access(candidate, X_OK) == 0
            {
                return candidate
            }
        }
        return nil
    }
}
