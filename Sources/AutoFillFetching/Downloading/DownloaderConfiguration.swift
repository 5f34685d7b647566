// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC

/// What a downloader is told by the user's own files and environment, never by whoever asks for a download.
public struct DownloaderConfiguration: Sendable, Equatable {
    /// PEM certificates that are believed as well as the system's: a company's, or a test's.
    public var additionalRoots: [UInt8]
    /// Where a host is really found: "host:port" to "address:port".
    public var resolve: [String: String]
    /// `https_proxy` and `no_proxy` as the environment has them.
    public var proxy: String?
    public var noProxy: String?
    /// In the place of every download's own deadline.
    public var deadline: Duration?

    public init(
        additionalRoots: [UInt8] = [], resolve: [String: String] = [:], proxy: String? = nil, noProxy: String? = nil,
        deadline: Duration? = nil
    ) {
        self.additionalRoots = additionalRoots
        self.resolve = resolve
        self.proxy = proxy
        self.noProxy = noProxy
        self.deadline = deadline
    }

    /// What an envelope and the environment say.
    public init(_ configuration: FetchConfiguration, environment: [String: String]) {
        self.init(
            additionalRoots: Array((configuration.roots ?? "").utf8), resolve: configuration.resolve ?? [:],
            proxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"],
            noProxy: environment["no_proxy"] ?? environment["NO_PROXY"],
            deadline: configuration.deadline.map { .seconds($0) })
    }
}
