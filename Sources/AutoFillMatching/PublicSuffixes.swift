// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CPSL

/// The public suffix list of the distribution, ICANN and private sections both.
public enum PublicSuffixes {
    /// The registrable domain of a host, or the host itself where it has none (addresses, `localhost`, suffixes).
    ///
    /// Hosts are ASCII here, so no IDNA is involved.
    public static func registrableDomain(of host: String) -> String {
        guard !host.hasPrefix("["), host.split(separator: ".").contains(where: { UInt8($0) == nil }),
            let list = List.shared.pointer
        else { return host }
        // What libpsl answers points into what it was asked, so it is copied while that still lives.
        return host.withCString { psl_registrable_domain(list, $0).map { String(cString: $0) } } ?? host
    }

    /// Sendable unchecked: libpsl's list is read-only once loaded, and this one is never freed.
    private final class List: @unchecked Sendable {
        static let shared = List()
        let pointer: OpaquePointer?

        init() {
            pointer = psl_latest(nil)
        }
    }
}
