// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// A folder or socket that a provider was granted, held open.
///
/// Bubblewrap binds the open descriptor, so it shows the file that was checked, even if its path was replaced
/// meanwhile. Another provider may be allowed to change the folder around it.
/// the folder around it.
package struct GrantedPlace {
    /// The granted path, at which the provider sees it.
    package let path: String
    package let isWritable: Bool
    private let file: PinnedFile

    /// Opens the file at a granted path.
    ///
    /// Returns `nil` if it does not exist, if a link is on the way, or if it is not of the granted kind.
    ///
    /// - Parameters:
    ///   - grant: `~/…` or `$XDG_RUNTIME_DIR/…`.
    ///   - isSocket: Whether a socket was granted. Below the runtime directory it may also be a folder of sockets.
    package init?(_ grant: String, _ environment: [String: String], isWritable: Bool, isSocket: Bool) {
        guard let path = Isolation.place(of: grant, environment),
            let (root, steps) = Isolation.parts(of: grant, environment)
        else { return nil }
        // The home itself may be a link, because only the user can make it one.
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

    /// The open descriptor, valid as long as this value exists.
    package var openDescriptor: Int32 { file.descriptor }
}
