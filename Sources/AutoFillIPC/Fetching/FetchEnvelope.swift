// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What `latchkey-fetch` reads on its standard input: one job, and what the user's configuration says about the network.
public struct FetchEnvelope: Sendable, Equatable {
    /// The most bytes that are read.
    public static let maximumSize = 262_144

    public var job: String
    /// What the job is told; its own business.
    public var request: JSONValue
    public var configuration: FetchConfiguration

    public init(job: String, request: JSONValue, configuration: FetchConfiguration = FetchConfiguration()) {
        self.job = job
        self.request = request
        self.configuration = configuration
    }

    /// Reads an envelope; throws `invalidParams`.
    public init(_ value: JSONValue) throws(WireError) {
        guard case .string(let job)? = value["job"], let request = value["request"],
            let configuration = value["configuration"]
        else { throw WireError(.invalidParams, "This is no request for latchkey-fetch.") }
        self.init(job: job, request: request, configuration: try configuration.decoded())
    }

    var value: JSONValue {
        get throws {
            .object(["job": .string(job), "request": request, "configuration": try JSONValue(encoding: configuration)])
        }
    }
}

/// What the user's `fetch.json` says, its files read.
public struct FetchConfiguration: Codable, Sendable, Equatable {
    /// PEM certificates that are believed as well as the system's.
    public var roots: String?
    /// Where a host is really found: "host:port" to "address:port".
    public var resolve: [String: String]?
    /// How long one download may take, in seconds; nothing means as long as the job says.
    public var deadline: Int?
    /// The user's own HTTP proxy, as a URL; it may hold a user and a password.
    public var proxy: String?
    /// Hosts and domains that are reached without the proxy; `*` for all.
    public var noProxy: [String]?
    /// Where `latchkey-net` listens on the loopback, if the process has a network of its own; then nothing else is connected to,
    /// and `resolve` and `proxy` are for `latchkey-net`. No file states it.
    public var exit: UInt16?

    public init(
        roots: String? = nil, resolve: [String: String]? = nil, deadline: Int? = nil, proxy: String? = nil,
        noProxy: [String]? = nil, exit: UInt16? = nil
    ) {
        self.roots = roots
        self.resolve = resolve
        self.deadline = deadline
        self.proxy = proxy
        self.noProxy = noProxy
        self.exit = exit
    }
}
