// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease
internal import AutoFillSecrets
package import ShownText

/// The program that started git, as opposed to git itself, its remote helpers, and the shells that these run.
package struct GitCaller: Hashable, Sendable {
    /// The program's path.
    package let program: String
    /// The SHA-256 digest of the program's file.
    package let digest: String
    /// Whether a git that only root can change was found among the ancestors. Without one the requesting program is unknown.
    package let isByGit: Bool

    private static let shells: Set<String> = ["sh", "dash", "bash", "zsh", "ksh", "mksh", "busybox"]

    package init(program: String, digest: String, isByGit: Bool) {
        self.program = program
        self.digest = digest
        self.isByGit = isByGit
    }

    /// - Parameter ancestors: The ancestor processes of the helper, nearest first.
    package init?(ancestors: [CallerProgram]) {
        var git: Int?
        climb: for (index, program) in ancestors.enumerated() {
            if Self.isGit(program) {
                git = index
            } else if !Self.shells.contains(Self.name(of: program)) || !program.isRootOwned {
                break climb
            }
        }
        // A git without a visible parent was started by the session itself, so it counts as its own caller.
        guard let caller = ancestors.dropFirst(git.map { $0 + 1 } ?? 0).first ?? ancestors.last else { return nil }
        self.init(program: caller.path, digest: caller.digest, isByGit: git != nil)
    }

    private static func isGit(_ program: CallerProgram) -> Bool {
        let name = name(of: program)
        return program.isRootOwned && program.foreignCode == nil
            && (name == "git" || name.hasPrefix("git-remote-") || name == "scalar")
    }

    private static func name(of program: CallerProgram) -> String {
        program.path.pathParts.last ?? ""
    }

    /// The caller as shown in prompts.
    package var sentence: DisplayText {
        let program = DisplayText(program, keeping: .end)
        return isByGit ? "git, started by \(program)," : "\(program), which is not the system's git,"
    }
}
