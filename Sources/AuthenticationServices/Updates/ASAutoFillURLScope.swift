// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The part of a site, by the beginning of its URLs, for which a password is good.
public struct ASAutoFillURLScope: Codable, Hashable, Sendable {
    /// How the site is reached.
    @nonexhaustive(warn)
    public enum Scheme: Codable, Hashable, Sendable {
        /// Without protection.
        case http
        /// Over TLS.
        case https
    }

    /// How the site is reached.
    public var scheme: Scheme
    /// The host's name.
    public var host: String
    /// The port; none for the scheme's own.
    public var port: Int?
    /// The beginning of the path.
    public var path: String

    /// A scope with all its members.
    public init(scheme: Scheme, host: String, port: Int?, path: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }

    /// The scope of a URL; nothing when it is not one of HTTP or HTTPS, or has no host.
    public init?(url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.host, !host.isEmpty
        else { return nil }
        switch parts.scheme?.lowercased() {
        case "http": scheme = .http
        case "https": scheme = .https
        default: return nil
        }
        self.host = host
        port = parts.port
        path = parts.path
    }

    /// The URL that the scope begins with; nothing when host, port or path cannot stand in one.
    public var url: URL? {
        guard !host.isEmpty, path.isEmpty || path.hasPrefix("/"), port.map({ (0...65535).contains($0) }) ?? true else {
            return nil
        }
        var parts = URLComponents()
        parts.scheme = scheme == .http ? "http" : "https"
        parts.host = host
        parts.port = port
        parts.path = path
        return parts.url
    }
}
