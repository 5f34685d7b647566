// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Which addresses are of the internet, and neither this computer's nor of a network that it is in.
public struct AddressPolicy: Sendable {
    /// An address of an interface, and how many bits of it name the network around it.
    public struct Interface: Sendable, Hashable {
        public var address: InternetAddress
        public var prefix: Int

        public init(address: InternetAddress, prefix: Int) {
            self.address = address
            self.prefix = prefix
        }
    }

    private let interfaces: [Interface]
    /// Whether the kernel delivers what is sent to an address on this computer, whichever addresses the interfaces have.
    private let isRoutedHere: @Sendable (InternetAddress) -> Bool

    public init(
        interfaces: [Interface], isRoutedHere: @escaping @Sendable (InternetAddress) -> Bool = { _ in false }
    ) {
        self.interfaces = interfaces
        self.isRoutedHere = isRoutedHere
    }

    /// What this computer's interfaces are now; `nil` where they cannot be read.
    public static func current() -> AddressPolicy? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var interfaces: [Interface] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = InternetAddress(entry.ifa_addr) else { continue }
            // A mask of another family, or none, names no network: the address alone.
            let mask = InternetAddress(entry.ifa_netmask, as: entry.ifa_addr)
            let prefix = mask.map { $0.bytes.reduce(0) { $0 + $1.nonzeroBitCount } } ?? address.bytes.count * 8
            interfaces.append(Interface(address: address, prefix: prefix))
        }
        return AddressPolicy(interfaces: interfaces, isRoutedHere: \.isRoutedHere)
    }

    public func allows(_ address: InternetAddress) -> Bool {
        guard address.isOfTheInternet else { return false }
        let reached = address.embedded ?? address
        let isOfANetwork = interfaces.contains { interface in
            // A prefix of nothing would be everything; such an interface has an address all the same.
            let length = interface.prefix > 0 ? interface.prefix : interface.address.bytes.count * 8
            return reached.shares(length, bitsWith: interface.address)
        }
        return !isOfANetwork && !isRoutedHere(address) && (reached == address || !isRoutedHere(reached))
    }
}

extension InternetAddress {
    /// Reads an address of the kernel's; `nil` for `NULL` and for another family.
    ///
    /// - Parameter family: whose family counts, where the address itself may not state one (a mask).
    init?(_ address: UnsafePointer<sockaddr>?, as family: UnsafePointer<sockaddr>? = nil) {
        guard let address, let family = (family ?? address)?.pointee.sa_family else { return nil }
        let raw = UnsafeRawPointer(address)
        switch Int32(family) {
        case AF_INET:
            self.init(bytes: withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
        case AF_INET6:
            self.init(bytes: withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
        default: return nil
        }
    }

    /// Reads an address of the kernel's with its port; `nil` for another family than those of the internet.
    package static func reading(_ address: UnsafePointer<sockaddr>?) -> (address: InternetAddress, port: UInt16)? {
        guard let address, let found = InternetAddress(address) else { return nil }
        // The port stands at the same place in both kinds.
        let port = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_port
        return (found, UInt16(bigEndian: port))
    }

    /// Calls something with the address and a port as the kernel wants them.
    func withSocketAddress<Result>(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        func call<Address>(_ address: Address) -> Result {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        if isIPv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            return call(address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        return call(address)
    }

    /// As a URL or a request has it.
    var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv4 ? AF_INET : AF_INET6
        guard bytes.withUnsafeBytes({ inet_ntop(family, $0.baseAddress, &buffer, socklen_t(buffer.count)) }) != nil
        else { return "" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isIPv4 ? text : "[\(text)]"
    }

    /// The addresses of a host by the system's resolver, or of an address in any of its spellings; none where there are none.
    package static func resolve(_ host: String) -> [InternetAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [InternetAddress] = []
        var next = first
        while let entry = next?.pointee, found.count < 32 {
            next = entry.ai_next
            if let address = InternetAddress(entry.ai_addr), !found.contains(address) { found.append(address) }
        }
        return found
    }
}
