// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The input of `latchkey-fetch`: one job, and the user's network configuration.
public struct FetchEnvelope: Sendable, Equatable {
    /// Maximum size in bytes.
    public static let maximumSize = 262_144

    public var job: String
    /// The job's parameters, whose form depends on the job.
    public var request: JSONValue
    public var configuration: FetchConfiguration

    public init(job: String, request: JSONValue, configuration: FetchConfiguration = FetchConfiguration()) {
        self.job = job
        self.request = request
        self.configuration = configuration
    }

    /// Reads an envelope.
    ///
    /// - Throws: `invalidParams` when its form is wrong.
    public init(_ value: JSONValue) throws(WireError) {
        guard case .string(let job)? = value["job"], let request = value["request"],
            let configuration = value["configuration"]
        else { throw WireError(.invalidParams, "This is not a request for latchkey-fetch.") }
        self.init(job: job, request: request, configuration: try configuration.decoded())
    }

    var value: JSONValue {
        get throws {
            .object(["job": .string(job), "request": request, "configuration": try JSONValue(encoding: configuration)])
        }
    }
}

/// The content of the user's `fetch.json`, with the files it names.
public struct FetchConfiguration: Codable, Sendable, Equatable {
    /// PEM certificates that are trusted in addition to the system's.
    public var roots: String?
    /// Overrides for the addresses of hosts: "host:port" to "address:port".
    public var resolve: [String: String]?
    /// The time limit for one download in seconds, or `nil` for the job's own limit.
    public var deadline: Int?
    /// The URL of the user's HTTP proxy, which may include a user and a password.
    public var proxy: String?
    /// Hosts and domains to reach without the proxy; `*` means all.
    public var noProxy: [String]?
    /// The loopback port of `latchkey-net`, if the process has its own network namespace.
    ///
    /// All connections go there then, and `resolve` and `proxy` apply to `latchkey-net`. This is never stated in a file.
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
