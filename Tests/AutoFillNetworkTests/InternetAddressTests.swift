// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillNetwork

@Suite struct InternetAddressTests {
    static func address(_ text: String) throws -> InternetAddress {
        try #require(InternetAddress.resolve(text).first, "\(text) is no address")
    }

    @Test(
        "S39: what is not of the internet is not reached",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.2", "192.88.99.1", "192.168.0.1",
            "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1", "64:ff9b::192.168.1.1", "64:ff9b:1::1", "100::1", "fe80::1", "febf::1", "fec0::1",
            "fc00::1", "fd12:3456::1", "ff02::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:1ff:ffff::1",
            "2001:db8::1", "2002:7f00:1::1", "2002:c0a8:101::1", "3fff::1", "4000::1", "2600::5efe:c0a8:101",
            "2600::200:5efe:10.0.0.1",
            // Other spellings of the same.
            "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "012.1", "0",
        ])
    func refusesWhatIsNotOfTheInternet(_ text: String) throws {
        #expect(try !Self.address(text).isOfTheInternet)
        #expect(try !AddressPolicy(interfaces: []).allows(Self.address(text)))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.1.1.1", "128.0.0.1",
        "169.253.0.1",
        "172.15.0.1", "172.32.0.1", "192.167.1.1", "192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
        "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2001:200::1", "2600::1", "2a00:1450::1",
    ])
    func takesWhatIsOfTheInternet(_ text: String) throws {
        #expect(try AddressPolicy(interfaces: []).allows(Self.address(text)))
    }

    @Test("S39: this computer's own addresses and the networks around it are not reached", arguments: [true, false])
    func refusesWhatIsItsOwn(_ isMapped: Bool) throws {
        let policy = AddressPolicy(interfaces: [
            .init(address: try Self.address("8.8.8.8"), prefix: 28),
            .init(address: try Self.address("9.9.9.9"), prefix: 0),
            .init(address: try Self.address("2600:1::5"), prefix: 64),
        ])
        let form = isMapped ? "::ffff:" : ""
        for text in ["8.8.8.8", "8.8.8.1", "8.8.8.15", "9.9.9.9"] {
            #expect(try !policy.allows(Self.address(form + text)), "\(text)")
        }
        for text in ["8.8.8.16", "8.8.7.255", "9.9.9.8"] {
            #expect(try policy.allows(Self.address(form + text)), "\(text)")
        }
        #expect(try !policy.allows(Self.address("2600:1::99")))
        #expect(try policy.allows(Self.address("2600:1:0:1::99")))
    }

    @Test("S39: what a route delivers here is not reached, whichever addresses the interfaces have")
    func refusesWhatARouteDeliversHere() throws {
        let routed = try Self.address("9.9.9.9")
        let policy = AddressPolicy(interfaces: [], isRoutedHere: { $0 == routed })
        #expect(try !policy.allows(Self.address("9.9.9.9")))
        #expect(try !policy.allows(Self.address("::ffff:9.9.9.9")))
        #expect(try policy.allows(Self.address("9.9.9.8")))
    }

    @Test func knowsTheInterfacesOfThisComputer() throws {
        let policy = try #require(AddressPolicy.current())
        #expect(try !policy.allows(Self.address("127.0.0.1")))
        #expect(try Self.address("127.0.0.1").isRoutedHere)
        #expect(try Self.address("::1").isRoutedHere)
    }

    @Test func addressHasFourOrSixteenBytes() {
        for count in [0, 1, 3, 5, 15, 17] {
            #expect(InternetAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
    }
}
