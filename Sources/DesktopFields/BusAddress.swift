// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGIO
internal import Glibc

/// Where the accessibility bus of a session is, and what the session has switched on for it.
package enum BusAddress {
    /// The variable that names the accessibility bus to programs. Where it is set, nobody is asked.
    package static let variable = "AT_SPI_BUS_ADDRESS"

    /// How long the bus and its registry may take to start, in milliseconds: this program may be the first that asks for them.
    static let startPatience: Int32 = 25_000

    /// The address that `variable` has, or that the session's `org.a11y.Bus` gives, which starts a bus if there is none.
    package static func ask() -> String? {
        if let set = getenv(variable) { return String(cString: set) }
        return call("org.a11y.Bus", "GetAddress", nil)?[0]?.text(atMost: 4_096)
    }

    /// Whether a screen reader is switched on in the session.
    package static func hasScreenReader() -> Bool {
        let names = [g_variant_new_string("org.a11y.Status"), g_variant_new_string("ScreenReaderEnabled")]
        let arguments = g_variant_new_tuple(names, gsize(names.count))
        return call("org.freedesktop.DBus.Properties", "Get", arguments)?[0]?[0]?.boolean ?? false
    }

    private static func call(_ interface: String, _ method: String, _ arguments: OpaquePointer?) -> Variant? {
        guard let session = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else {
            if let arguments { g_variant_unref(g_variant_ref_sink(arguments)) }
            return nil
        }
        defer { g_object_unref(UnsafeMutableRawPointer(session)) }
        let answer = g_dbus_connection_call_sync(
            session, "org.a11y.Bus", "/org/a11y/bus", interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NONE,
            startPatience, nil, nil)
        return answer.map { Variant(taking: $0) }
    }

    /// The path of the socket that a bus address names; `nil` if it names none in the file system.
    package static func socket(_ address: String) -> String? {
        for one in address.split(separator: ";") where one.hasPrefix("unix:") {
            for pair in one.dropFirst("unix:".count).split(separator: ",") where pair.hasPrefix("path=") {
                return unescaped(pair.dropFirst("path=".count))
            }
        }
        return nil
    }

    /// The value of an address, in which a byte may stand as a percent sign and two digits.
    private static func unescaped(_ value: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                code != 0
            else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        guard let path = String(validating: bytes, as: UTF8.self), path.hasPrefix("/") else { return nil }
        return path
    }
}
