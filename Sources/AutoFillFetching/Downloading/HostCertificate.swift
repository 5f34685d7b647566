// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import NIOSSL

/// Whether a certificate names the host that was asked for (RFC 9525, section 6).
///
/// NIO's own check is content with a certificate for the address that was connected to. Whoever answers for a name with an
/// address of their own can have one for that address, so it proves nothing of the name. A common name does not count either.
enum HostCertificate {
    /// - Parameter host: as in a URL; an IPv6 address without brackets.
    static func names(_ host: String, _ certificate: NIOSSLCertificate) -> Bool {
        // A host that is an address has been checked against the certificate's addresses.
        if host.contains(":") || host.split(separator: ".").allSatisfy({ UInt8($0) != nil }) { return true }
        return certificate._subjectAlternativeNames().contains { name in
            name.nameType == .dnsName && isMatch(String(decoding: Array(name.contents), as: UTF8.self), host)
        }
    }

    /// By labels, whatever their case; `*` stands for exactly one label, the first.
    static func isMatch(_ name: String, _ host: String) -> Bool {
        func labels(_ text: String) -> [Substring] {
            text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        }
        let (named, asked) = (labels(name), labels(host))
        guard named.count == asked.count, !named.contains(where: \.isEmpty) else { return false }
        if named[0] == "*" { return named.count > 2 && named.dropFirst() == asked.dropFirst() }
        return named == asked
    }
}
