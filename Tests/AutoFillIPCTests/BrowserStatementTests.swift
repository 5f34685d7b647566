// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillIPC

@Suite struct BrowserStatementTests {
    private let origin = "chrome-extension://malldjagemimmcmdgodgcdpnfmccpage/"

    @Test func readsTheOriginFromChromium() {
        #expect(BrowserStatement(hostArguments: ["/host", origin])?.extension == origin)
        #expect(BrowserStatement(hostArguments: ["/host", origin, "--parent-window=0"])?.extension == origin)
    }

    @Test func readsTheIdentifierFromFirefox() {
        let statement = BrowserStatement(hostArguments: ["/host", "/home/anna/host.json", "latchkey@latchkey.org"])
        #expect(statement?.extension == "latchkey@latchkey.org")
    }

    @Test(arguments: [
        [], ["/host"], ["/host", ""], ["/host", "latchkey@latchkey.org"], ["/host", "--version"],
        ["/host", "/home/anna/host.json"],
        ["/host", "host.json", "latchkey@latchkey.org"],
        // Firefox's form cannot name an extension of Chromium.
        ["/host", "/home/anna/host.json", "chrome-extension://malldjagemimmcmdgodgcdpnfmccpage/"],
    ])
    func refusesOtherCommandLines(arguments: [String]) {
        #expect(BrowserStatement(hostArguments: arguments) == nil)
    }
}
