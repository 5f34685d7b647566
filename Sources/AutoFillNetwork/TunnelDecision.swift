// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Where a request really goes: the addresses that were judged are those that are connected to.
public enum TunnelDecision: Sendable, Equatable {
    /// To these addresses, the first that answers.
    case connect([InternetAddress], port: UInt16)
    /// To the user's proxy, which is asked for this.
    case proxy(NetworkPolicy.Proxy, target: String)
    /// Nowhere. One reason for all: a name that has no address is told apart from one of this network by nobody.
    case refused

    /// Decides by the policy.
    ///
    /// - Parameters:
    ///   - addresses: which of the internet are reached; `nil` where that cannot be known now.
    ///   - resolve: finds a host's addresses. It is asked once for each name, so that an answer that changes changes nothing.
    public init(
        for target: HostAndPort, policy: NetworkPolicy, addresses: AddressPolicy?,
        resolve: (String) -> [InternetAddress]
    ) {
        let isGranted = policy.hosts.contains(target)
        guard policy.internet || isGranted else {
            self = .refused
            return
        }
        // The user's own file says where it is.
        if let place = policy.resolve[target] {
            self.init(found: resolve(place.host), port: place.port)
            return
        }
        // RFC 6761, 6.3: whoever resolves it, it is this computer, or that of the user's proxy.
        guard isGranted || !(target.host == "localhost" || target.host.hasSuffix(".localhost")) else {
            self = .refused
            return
        }
        let found = resolve(target.host)
        if isGranted, !found.isEmpty {
            self.init(found: found, port: target.port)
            return
        }
        let judged = found.filter { addresses?.allows($0) == true }
        guard found.isEmpty || !judged.isEmpty else {
            self = .refused
            return
        }
        guard let proxy = policy.proxy, !policy.isExempt(target) else {
            self.init(found: judged, port: target.port)
            return
        }
        // What this computer knows no address of, only the proxy does; where that leads is for the proxy to judge.
        if let first = judged.first, !policy.tellsProxyNames {
            self = .proxy(proxy, target: "\(first.text):\(target.port)")
        } else {
            self = .proxy(proxy, target: target.description)
        }
    }

    private init(found: [InternetAddress], port: UInt16) {
        self = found.isEmpty ? .refused : .connect(found, port: port)
    }
}
