// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import AutoFillNetwork

/// What a downloader is told by the user's own `fetch.json`, never by whoever asks for a download and never by the environment.
public struct DownloaderConfiguration: Sendable, Equatable {
    /// PEM certificates that are believed as well as the system's: a company's, or a test's.
    public var additionalRoots: [UInt8]
    /// Where a host is really found: "host:port" to "address:port".
    public var resolve: [String: String]
    /// The user's proxy, and hosts that are reached without it.
    public var proxy: String?
    public var noProxy: [String]
    /// In the place of every download's own deadline.
    public var deadline: Duration?
    /// The port of the loopback where `latchkey-net` connects to everything, by its own policy; nothing else is connected to then.
    public var exit: UInt16?

    public init(
        additionalRoots: [UInt8] = [], resolve: [String: String] = [:], proxy: String? = nil, noProxy: [String] = [],
        deadline: Duration? = nil, exit: UInt16? = nil
    ) {
        self.additionalRoots = additionalRoots
        self.resolve = resolve
        self.proxy = proxy
        self.noProxy = noProxy
        self.deadline = deadline
        self.exit = exit
    }

    /// What an envelope says.
    public init(_ configuration: FetchConfiguration) {
        self.init(
            additionalRoots: Array((configuration.roots ?? "").utf8), resolve: configuration.resolve ?? [:],
            proxy: configuration.proxy, noProxy: configuration.noProxy ?? [],
            deadline: configuration.deadline.map { .seconds($0) }, exit: configuration.exit)
    }

    /// The way of a request to a host.
    func way(to address: HTTPSAddress) throws(DownloadFailure) -> TransferWay {
        if let exit {
            guard exit > 0, let place = HostAndPort("127.0.0.1:\(exit)") else {
                throw DownloadFailure(.unreachable(reason: "there is no such way to the network"))
            }
            return .exit(.init(place: place))
        }
        if let place = place(of: address) { return .place(place) }
        guard let proxy, !isExempt(address) else { return .internet }
        guard let statement = NetworkPolicy.Proxy(proxy) else {
            throw DownloadFailure(.unreachable(reason: "fetch.json names no proxy that is spoken to over http"))
        }
        return .proxy(statement)
    }

    /// Where the configuration says that a host is found: "address:port", an IPv6 address in brackets.
    private func place(of address: HTTPSAddress) -> String? {
        guard let place = resolve[address.key], let colon = place.lastIndex(of: ":"),
            let port = UInt16(place[place.index(after: colon)...]), port > 0
        else { return nil }
        let host = place[..<colon]
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private func isExempt(_ address: HTTPSAddress) -> Bool {
        var policy = NetworkPolicy()
        policy.takeProxy(nil, except: noProxy)
        return HostAndPort(address.key).map(policy.isExempt) == true
    }
}
