// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The program file that a process runs: its path, its digest, and who can change it.
package struct CallerProgram: Hashable, Sendable {
    /// Who can replace the file.
    package enum Standing: Hashable, Sendable {
        /// The file and every folder above it belong to root, and only root can write them.
        case rootOwned
        /// Others can replace it. The text says which part of the path, and who.
        case changeable(String)
    }

    package let path: String
    /// The SHA-256 digest of the file's contents, in hexadecimal.
    package let digest: String
    package let standing: Standing
    /// The reason why the program runs other authors' code and so cannot be identified, or `nil` for an ordinary program.
    package let interpreter: String?
    /// For a program that only root can change: loaded code that others can change.
    package let foreignCode: String?

    package init(
        path: String, digest: String, standing: Standing, interpreter: String? = nil, foreignCode: String? = nil
    ) {
        self.path = path
        self.digest = digest
        self.standing = standing
        self.interpreter = interpreter
        self.foreignCode = foreignCode
    }

    package var isRootOwned: Bool { standing == .rootOwned }
}
