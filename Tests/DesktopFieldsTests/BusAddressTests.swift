// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopFields

/// The socket that the address of a bus names.
@Suite struct BusAddressTests {
    @Test(arguments: [
        ("unix:path=/run/user/1000/at-spi/bus_0,guid=cafe", "/run/user/1000/at-spi/bus_0"),
        ("unix:guid=cafe,path=/tmp/dbus-x", "/tmp/dbus-x"), ("unix:path=/tmp/a%20b%2cc", "/tmp/a b,c"),
        ("tcp:host=localhost,port=1;unix:path=/second", "/second"),
    ])
    func pathIsRead(address: String, path: String) {
        #expect(BusAddress.socket(address) == path)
    }

    @Test(arguments: [
        "", "unix:abstract=/tmp/dbus-x", "tcp:host=localhost,port=1", "unix:path=relative", "unix:path=/a%2",
        "unix:path=/a%00",
        "unix:path=/a%zz", "path=/a", "unixexec:path=/a",
    ])
    func noOtherAddressHasOne(address: String) {
        #expect(BusAddress.socket(address) == nil)
    }
}
