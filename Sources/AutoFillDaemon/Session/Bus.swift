// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The buses that report events of the session, and the services of interest on each.
enum Bus: String, Sendable, CaseIterable {
    /// The machine's, where logind is.
    case system
    /// The user's, where screen savers are.
    case session

    /// The only services that are listened to.
    var services: [String] {
        switch self {
        case .system: [Self.login]
        case .session: ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"]
        }
    }

    static let login = "org.freedesktop.login1"

    /// The match rules for the bus (D-Bus specification, "Match Rules").
    ///
    /// They keep broadcasts of other senders away. Messages addressed to this connection arrive all the same, so `SessionPolicy` checks
    /// every sender again.
    var matchRules: [String] {
        let changes = services.map {
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
                + "arg0='\($0)'"
        }
        switch self {
        case .system:
            let signal = "type='signal',sender='\(Self.login)',interface="
            return changes + [
                signal + "'\(Self.login).Manager',path='/org/freedesktop/login1'",
                signal + "'\(Self.login).Session',member='Lock'",
                signal + "'org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(Self.login).Session'",
            ]
        case .session:
            return changes + services.map { "type='signal',sender='\($0)',interface='\($0)',member='ActiveChanged'" }
        }
    }

    /// The address of the bus (D-Bus specification, "Well-known Message Bus Instances"); `nil` if the environment names no session bus.
    func address(in environment: [String: String]) -> String? {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        switch self {
        case .system:
            return value("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .session:
            return value("DBUS_SESSION_BUS_ADDRESS")
                ?? value("XDG_RUNTIME_DIR").map { "unix:path=" + Self.escaped($0 + "/bus") }
        }
    }

    /// A value for an address (D-Bus specification, "Server Addresses"): all but a few bytes are escaped.
    private static func escaped(_ value: String) -> String {
        value.utf8.reduce(into: "") { escaped, byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }
}
