// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillNetwork
internal import AutoFillSecrets

/// The file `$XDG_CONFIG_HOME/latchkey/fetch.json`: the user's network configuration.
///
/// `{"additionalRoots": "PATH", "resolve": {"host:port": "address:port"}, "deadline": SECONDS, "proxy":
/// "http://host:port", "noProxy": ["domain"]}`, each of them optional: roots of a private authority, overridden
/// addresses, a longer time limit for a slow line, a proxy. Only this file decides which authorities Latchkey trusts
/// and which route it takes; requests, answers and environment variables do not.
public enum FetchFile {
    static let maximumSize = 65_536
    static let maximumRoots = 131_072

    private struct Content: Decodable {
        var additionalRoots: String?
        var resolve: [String: String]?
        var deadline: Int?
        var proxy: String?
        var noProxy: [String]?

        /// Whether all values are valid. An invalid value must not be treated as if it were absent.
        var isUnderstood: Bool {
            (1...3_600).contains(deadline ?? 1)
                && (resolve ?? [:]).allSatisfy { HostAndPort($0.key) != nil && HostAndPort($0.value) != nil }
                && proxy.map { NetworkPolicy.Proxy($0) != nil } ?? true
                && (noProxy ?? []).allSatisfy { NetworkPolicy.isExemption($0) }
        }
    }

    private static let members: Set<String> = ["additionalRoots", "resolve", "deadline", "proxy", "noProxy"]

    /// Reads the file. A missing file gives an empty configuration.
    ///
    /// - Throws: `storageFailed` when any part of the file is invalid; it is never used partially.
    public static func configuration(contentsOf path: String) throws(WireError) -> FetchConfiguration {
        guard SmallFile.isThere(path) else { return FetchConfiguration() }
        guard let bytes = SmallFile.read(path, atMost: maximumSize, followsLinks: true),
            let value = try? JSONValue(readingText: bytes), case .object(let members) = value,
            Set(members.keys).isSubset(of: Self.members), let content: Content = try? value.decoded(),
            content.isUnderstood
        else {
            throw WireError(
                .storageFailed, "\(path) cannot be read.",
                hint: "It holds additionalRoots, resolve, deadline, proxy and noProxy only; see docs/quirks.md. "
                    + "Correct the file or remove it.")
        }
        var roots: String?
        if let file = content.additionalRoots {
            let place =
                file.hasPrefix("/")
                ? file : (path.pathParent ?? "") + "/" + file
            guard let read = SmallFile.read(place, atMost: maximumRoots, followsLinks: true),
                let text = String(validating: read, as: UTF8.self), text.contains("-----BEGIN CERTIFICATE-----")
            else {
                throw WireError(
                    .storageFailed, "The additional roots of \(path) cannot be read: \(place).",
                    hint: "It is a file of PEM certificates.")
            }
            roots = text
        }
        return FetchConfiguration(
            roots: roots, resolve: content.resolve, deadline: content.deadline, proxy: content.proxy,
            noProxy: content.noProxy)
    }
}

extension NetworkPolicy {
    /// Adds the addresses and the proxy from the user's file.
    public mutating func take(_ configuration: FetchConfiguration) {
        takePlaces(configuration.resolve ?? [:])
        takeProxy(configuration.proxy, except: configuration.noProxy ?? [])
    }
}
