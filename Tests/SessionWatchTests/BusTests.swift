// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon

@Suite struct BusTests {
    @Test(
        arguments: [
            (Bus.system, [:], "unix:path=/run/dbus/system_bus_socket"),
            (.system, ["DBUS_SYSTEM_BUS_ADDRESS": ""], "unix:path=/run/dbus/system_bus_socket"),
            (.system, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"], "unix:path=/x"),
            (.session, [:], nil),
            (.session, ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""], nil),
            (.session, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"], nil),
            (.session, ["XDG_RUNTIME_DIR": "/run/user/1000"], "unix:path=/run/user/1000/bus"),
            (.session, ["XDG_RUNTIME_DIR": "/a b;c,\u{e9}\u{1}"], "unix:path=/a%20b%3bc%2c%c3%a9%01/bus"),
            (.session, ["XDG_RUNTIME_DIR": "/r", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"], "unix:path=/x"),
        ] as [(Bus, [String: String], String?)]
    )
    func looksWhereTheEnvironmentSays(bus: Bus, environment: [String: String], address: String?) {
        #expect(bus.address(in: environment) == address)
    }
}
