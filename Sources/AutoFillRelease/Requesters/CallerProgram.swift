// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// A program as the file that a process runs: where it is, what is in it, who can change it.
package struct CallerProgram: Hashable, Sendable {
    /// Who can put something else in its place.
    package enum Standing: Hashable, Sendable {
        /// The file and every folder above it belong to root, and nobody else can write them.
        case rootOwned
        /// Somebody else can: in words, which part of the path and who.
        case changeable(String)
    }

    package let path: String
    /// SHA-256 of the file's contents, in hexadecimal.
    package let digest: String
    package let standing: Standing
    /// Why the program carries out what others wrote, and so stands for nobody; nothing for one that does not.
    package let interpreter: String?
    /// Of a program that only root can change: code that somebody else can change and that it has loaded.
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
