// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
package import AutoFillMatching
internal import Foundation

/// The server that git named, optionally with a repository and an account.
package struct GitRequest: Hashable, Sendable {
    package let origin: Origin
    /// The repository's path without slashes at either end.
    package let path: String?
    package let user: String?

    /// Reads git's target. Returns `nil` if it is not a web server, or if its host contains invalid characters.
    package init?(_ target: GitTarget) {
        let isHost =
            target.host.utf8.count <= 512
            && !target.host.unicodeScalars.contains {
                $0.value <= 0x20 || $0.value == 0x7F || "/?#@\\%".unicodeScalars.contains($0)
            }
        guard target.scheme == "https" || target.scheme == "http", isHost,
            let origin = Origin(url: "\(target.scheme)://\(target.host)"),
            Self.isText(target.path), Self.isText(target.user)
        else { return nil }
        self.origin = origin
        path = target.path.flatMap(Self.bare)
        user = target.user.flatMap { $0.isEmpty ? nil : $0 }
    }

    package init(origin: Origin, path: String?, user: String?) {
        self.origin = origin
        self.path = path
        self.user = user
    }

    private static func isText(_ text: String?) -> Bool {
        guard let text else { return true }
        return text.utf8.count <= 2_048 && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    package static func bare(_ path: some StringProtocol) -> String? {
        let parts = path.drop { $0 == "/" }
        let end = parts.lastIndex { $0 != "/" }
        return end.map { String(parts[...$0]) }
    }

    /// The server and path, as shown in prompts and the audit log.
    package var site: String { origin.description + (path.map { "/" + $0 } ?? "") }

    /// The service under which a login for this request is saved.
    package var service: String { path == nil ? origin.written : site }
}

/// How well a saved login fits git's request.
package enum GitFit: Int, Comparable, Sendable {
    /// Saved for exactly this repository.
    case path
    /// Saved for the server.
    case server
    /// Saved for a repository while git names none, or saved for another host of the same site. Only the user can decide.
    case elsewhere

    package static func < (one: GitFit, other: GitFit) -> Bool { one.rawValue < other.rawValue }

    /// The fit of a saved login, or `nil` if it does not fit.
    package init?(_ service: ServiceIdentifier, isExact: Bool, for request: GitRequest) {
        let saved = Self.path(of: service)
        switch (saved, request.path) {
        case _ where !isExact: self = .elsewhere
        case (nil, _): self = .server
        case (_?, nil): self = .elsewhere
        case (let saved?, let asked?):
            guard saved == asked else { return nil }
            self = .path
        }
    }

    /// The path of a service, if it is a URL with a path.
    package static func path(of service: ServiceIdentifier) -> String? {
        let mark = service.value.range(of: "://")
        guard let mark else { return nil }
        let rest = service.value[mark.upperBound...]
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
        return GitRequest.bare(path.removingPercentEncoding ?? String(path))
    }
}
