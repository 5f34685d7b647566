// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillNetwork

/// How a host is reached, and so which addresses one transfer may connect to.
///
/// libcurl asks before each connection, so the address that is judged is the one that is connected to, whatever a name server
/// says the next time.
enum TransferWay: Sendable, Equatable {
    /// Through `latchkey-net`, which judges: to this place only.
    case exit(NetworkPolicy.Proxy)
    /// Where the user's own file says that the host is, "address:port".
    case place(String)
    /// By the user's own proxy, wherever that is.
    case proxy(NetworkPolicy.Proxy)
    /// Directly, to addresses of the internet.
    case internet

    /// The proxy that is asked, `latchkey-net` included.
    var proxy: NetworkPolicy.Proxy? {
        switch self {
        case .exit(let proxy), .proxy(let proxy): proxy
        case .place, .internet: nil
        }
    }

    /// Whether a transfer may connect to an address.
    ///
    /// - Parameter policy: which addresses are of the internet now; `nil` where that cannot be known.
    func allows(_ address: InternetAddress, port: UInt16, policy: @autoclosure () -> AddressPolicy?) -> Bool {
        switch self {
        case .exit(let proxy): address.bytes == [127, 0, 0, 1] && port == proxy.place.port
        case .place, .proxy: true
        case .internet: policy()?.allows(address) == true
        }
    }

    /// Whether a host may be asked for. A proxy would connect to this computer and its neighbours for whoever names them, so
    /// that a name without an address of the internet is not told; of a name that is not known here, the proxy is the judge.
    func permits(
        _ host: String, policy: AddressPolicy? = .current(), resolve: (String) -> [InternetAddress]
    ) -> Bool {
        guard case .proxy = self else { return true }
        let found = resolve(host)
        return found.isEmpty || found.contains { policy?.allows($0) == true }
    }
}
