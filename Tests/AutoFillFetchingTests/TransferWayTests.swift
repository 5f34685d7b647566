// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillNetwork
import Testing

@testable import AutoFillFetching

@Suite struct TransferWayTests {
    private let policy = AddressPolicy(interfaces: [])

    private func address(_ text: String) throws -> InternetAddress {
        try #require(InternetAddress.resolve(text).first)
    }

    private func proxy(_ place: String) throws -> NetworkPolicy.Proxy {
        try #require(NetworkPolicy.Proxy(place))
    }

    @Test("S39: what a name server says after the judgement changes nothing")
    func judgesTheAddressThatIsConnectedTo() throws {
        let way = TransferWay.internet
        #expect(way.allows(try address("1.1.1.1"), port: 443, policy: policy))
        for text in ["127.0.0.1", "::1", "10.0.0.1", "192.168.0.1", "169.254.169.254", "fe80::1", "::ffff:127.0.0.1"] {
            #expect(!way.allows(try address(text), port: 443, policy: policy), "\(text)")
        }
        // Without knowing its own addresses, nothing is known to be another's.
        #expect(!way.allows(try address("1.1.1.1"), port: 443, policy: nil))
        let own = AddressPolicy(interfaces: [.init(address: try address("1.1.1.1"), prefix: 24)])
        #expect(!way.allows(try address("1.1.1.9"), port: 443, policy: own))
    }

    @Test("S39: the way out is one address and one port")
    func theWayOutIsOnePlace() throws {
        let way = TransferWay.exit(try proxy("127.0.0.1:3128"))
        #expect(way.allows(try address("127.0.0.1"), port: 3_128, policy: policy))
        for (text, port) in [("127.0.0.1", 3_129), ("127.0.0.2", 3_128), ("::1", 3_128), ("1.1.1.1", 3_128)]
            as [(String, UInt16)]
        {
            #expect(!way.allows(try address(text), port: port, policy: policy), "\(text)")
        }
    }

    @Test("S39: a proxy is not told of a name that leads to this network")
    func aProxyIsToldOfTheInternetOnly() throws {
        let way = TransferWay.proxy(try proxy("proxy.example:3128"))
        let names = ["a.example": ["1.1.1.1"], "nas.local": ["192.168.1.5"], "both.example": ["10.0.0.1", "1.1.1.1"]]
        func permits(_ host: String, _ policy: AddressPolicy?) -> Bool {
            way.permits(host, policy: policy) { (names[$0] ?? []).flatMap(InternetAddress.resolve) }
        }
        #expect(permits("a.example", policy) && permits("both.example", policy) && permits("unknown.example", policy))
        #expect(!permits("nas.local", policy))
        #expect(!permits("a.example", nil))
    }
}
