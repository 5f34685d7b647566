// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease
internal import AutoFillSecrets
package import ShownText

/// Who had git ask: the program that started git, not git, its remote helpers, or the shells that these run.
package struct GitCaller: Hashable, Sendable {
    /// A path.
    package let program: String
    /// SHA-256 of the file.
    package let digest: String
    /// Whether a git that nobody but root can change stands between. Otherwise nobody knows what asked.
    package let isByGit: Bool

    private static let shells: Set<String> = ["sh", "dash", "bash", "zsh", "ksh", "mksh", "busybox"]

    package init(program: String, digest: String, isByGit: Bool) {
        self.program = program
        self.digest = digest
        self.isByGit = isByGit
    }

    /// - Parameter ancestors: of the helper, the nearest first.
    package init?(ancestors: [CallerProgram]) {
        var git: Int?
        climb: for (index, program) in ancestors.enumerated() {
            if Self.isGit(program) {
                git = index
            } else if !Self.shells.contains(Self.name(of: program)) || !program.isRootOwned {
                break climb
            }
        }
        // A git without anybody above it that can be seen was started by the session, which is nobody's program.
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

    /// For prompts.
    package var sentence: DisplayText {
        let program = DisplayText(program, keeping: .end)
        return isByGit ? "git, started by \(program)," : "\(program), which is no git of the system's,"
    }
}
