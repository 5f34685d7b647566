// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// A folder or socket that a provider was granted, held open.
///
/// What was looked at is what bubblewrap shows, whatever takes its place meanwhile: another provider may be allowed to change
/// the folder around it.
package struct GrantedPlace {
    /// Where it is shown: the path by which it was granted.
    package let path: String
    package let isWritable: Bool
    private let file: PinnedFile

    /// Opens what is at a granted path. Returns `nil` if it is not there, if a link is on the way, or if it is of another kind than
    /// was granted.
    ///
    /// - Parameters:
    ///   - grant: `~/…` or `$XDG_RUNTIME_DIR/…`.
    ///   - isSocket: whether a socket was granted; below the runtime directory that may be the folder of several.
    package init?(_ grant: String, _ environment: [String: String], isWritable: Bool, isSocket: Bool) {
        guard let path = Isolation.place(of: grant, environment),
            let (root, steps) = Isolation.parts(of: grant, environment)
        else { return nil }
        // The home itself may be a link; that is the user's own doing.
        guard var place = PinnedFile(path: root) else { return nil }
        for step in steps {
            guard place.kind == S_IFDIR, let next = PinnedFile(path: step, in: place.descriptor, followsLinks: false)
            else { return nil }
            place = next
        }
        switch place.kind {
        case S_IFDIR where !isSocket || !grant.hasPrefix("~/"): break
        case S_IFSOCK where isSocket: break
        default: return nil
        }
        self.path = path
        self.isWritable = isWritable
        file = place
    }

    /// Open as long as this is there.
    package var openDescriptor: Int32 { file.descriptor }
}
