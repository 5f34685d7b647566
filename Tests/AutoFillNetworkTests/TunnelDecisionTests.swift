// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillNetwork

@Suite struct TunnelDecisionTests {
    private let shiny = HostAndPort("shiny.example.com:443")
    private let names = [
        "shiny.example.com": ["1.1.1.1", "10.0.0.1", "127.0.0.1"], "rebound.example.com": ["127.0.0.1", "192.168.1.1"],
        "nas.local": ["192.168.1.5"], "8.8.8.8": ["8.8.8.8"], "127.0.0.1": ["127.0.0.1"],
    ]

    private func addresses(_ list: [String]) -> [InternetAddress] { list.flatMap(InternetAddress.resolve) }

    private func decide(_ target: String, _ change: (inout NetworkPolicy) -> Void) throws -> TunnelDecision {
        var policy = NetworkPolicy()
        change(&policy)
        return TunnelDecision(
            for: try #require(HostAndPort(target)), policy: policy, addresses: AddressPolicy(interfaces: [])
        ) { addresses(names[$0] ?? []) }
    }

    @Test("S39: what is connected to is what was judged, whatever the name says the next time")
    func pinsTheAddress() throws {
        var asked = 0
        var policy = NetworkPolicy()
        policy.internet = true
        let decision = TunnelDecision(
            for: try #require(shiny), policy: policy, addresses: AddressPolicy(interfaces: [])
        ) { _ in
            asked += 1
            return addresses([asked == 1 ? "1.1.1.1" : "127.0.0.1"])
        }
        #expect(decision == .connect(addresses(["1.1.1.1"]), port: 443) && asked == 1)
    }

    @Test func leavesOutWhatMayNotBeReached() throws {
        let decision = try decide("shiny.example.com:443") { $0.internet = true }
        #expect(decision == .connect(addresses(["1.1.1.1"]), port: 443))
    }

    @Test(
        "S39: a name without an address of the internet leads nowhere",
        arguments: ["rebound.example.com:443", "nas.local:80", "127.0.0.1:80", "absent.example.com:443"])
    func refuses(_ target: String) throws {
        #expect(try decide(target) { $0.internet = true } == .refused)
    }

    @Test func withoutAGrantNothingIsReached() throws {
        #expect(try decide("shiny.example.com:443") { _ in } == .refused)
        #expect(try decide("8.8.8.8:53") { $0.hosts = Set([shiny].compactMap(\.self)) } == .refused)
    }

    @Test func whereAddressesAreNotKnownNothingIsReached() throws {
        var policy = NetworkPolicy()
        policy.internet = true
        let decision = TunnelDecision(for: try #require(shiny), policy: policy, addresses: nil) { _ in
            addresses(["1.1.1.1"])
        }
        #expect(decision == .refused)
    }

    @Test("S39: a host that is granted by name is reached on its port alone")
    func grantedHost() throws {
        let grant: (inout NetworkPolicy) -> Void = { $0.hosts = Set(["nas.local:5001"].compactMap { HostAndPort($0) }) }
        #expect(try decide("nas.local:5001", grant) == .connect(addresses(["192.168.1.5"]), port: 5001))
        #expect(try decide("NAS.local.:5001", grant) == .connect(addresses(["192.168.1.5"]), port: 5001))
        for target in ["nas.local:5002", "192.168.1.5:5001", "x.nas.local:5001", "nas.local.example.com:5001"] {
            #expect(try decide(target, grant) == .refused, "\(target)")
        }
    }

    @Test func theUsersFileSaysWhereAHostIs() throws {
        let place: (inout NetworkPolicy) -> Void = {
            $0.takePlaces(["absent.example.com:443": "127.0.0.1:4443", "nonsense": "x"])
            $0.internet = true
        }
        #expect(try decide("absent.example.com:443", place) == .connect(addresses(["127.0.0.1"]), port: 4443))
        #expect(try decide("absent.example.com:80", place) == .refused)
    }

    @Test("S39: the user's proxy is asked for the address that was judged, and for nothing of this network")
    func proxy() throws {
        let proxied: (inout NetworkPolicy) -> Void = {
            $0.internet = true
            $0.takeProxy("http://me:p%40ss@127.0.0.1:3128/", except: [".direct.example", "8.8.8.8"])
        }
        guard case .proxy(let proxy, let target) = try decide("shiny.example.com:443", proxied) else {
            Issue.record("it is not asked")
            return
        }
        #expect(target == "1.1.1.1:443" && proxy.place.description == "127.0.0.1:3128")
        #expect(proxy.authorization == "bWU6cEBzcw==")
        #expect(try decide("rebound.example.com:443", proxied) == .refused)
        #expect(try decide("8.8.8.8:53", proxied) == .connect(addresses(["8.8.8.8"]), port: 53))
        guard case .proxy(_, "absent.example.com:443") = try decide("absent.example.com:443", proxied) else {
            Issue.record("what this computer does not know, the proxy may")
            return
        }
    }

    @Test(arguments: ["socks5://127.0.0.1:1", "https://proxy.example", "http://a b", "http://x:0"])
    func unreadableProxyIsNoWayAroundIt(_ text: String) throws {
        let decision = try decide("8.8.8.8:53") {
            $0.internet = true
            $0.takeProxy(text, except: [])
        }
        guard case .proxy(let proxy, _) = decision else {
            Issue.record("\(text): \(decision)")
            return
        }
        #expect(proxy.place.host == "unreadable.invalid")
    }

    @Test(arguments: [
        ("example", true), (".a.example", true), ("*.example", true), ("a.example:443", true), ("*", true),
        ("A.Example", true), ("b.example", false), ("ample", false), ("a.example:80", false), ("", false), (".", false),
        ("a.example.com", false), ("x,a.example", false), ("a.example x", false), ("a.example\n*", false),
    ])
    func exemptionIsByWholeLabels(_ exemption: String, _ expected: Bool) throws {
        var policy = NetworkPolicy()
        policy.takeProxy("p:1", except: ["x", exemption])
        #expect(policy.isExempt(try #require(HostAndPort("a.example:443"))) == expected)
    }

    @Test func policyIsReadAsItWasWritten() throws {
        var policy = NetworkPolicy()
        policy.internet = true
        policy.hosts = Set(["[::1]:80", "nas.local:5001"].compactMap { HostAndPort($0) })
        policy.takePlaces(["a.example:443": "[::1]:1"])
        policy.takeProxy("u:p@proxy:8080", except: ["a", "*.b"])
        policy.tellsProxyNames = true
        #expect(policy.hosts.count == 2 && policy.resolve.count == 1)
        #expect(NetworkPolicy(text: policy.text) == policy)
        #expect(NetworkPolicy(text: "") == NetworkPolicy())
    }

    @Test(arguments: [
        "x", "host", "host a", "host a:1 b", "resolve a:1", "internet yes", "internet\n\nhost a:x", "proxy x:y",
        "direct", "direct ", "direct a,b", "direct x\r", "direct x\r\n", "direct x\u{0}", "direct \u{E9}.example",
        "proxy p:1 ", "proxy p:1 YTpi\r", "proxy p:1 YTpi\r\n", "proxy p:1 YT\u{0}", "internet\r\n",
    ])
    func halfAPolicyIsNone(_ text: String) {
        #expect(NetworkPolicy(text: text) == nil)
    }
}
