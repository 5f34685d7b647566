// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillFetching

/// Which names of a certificate are those of a host.
@Suite struct HostCertificateTests {
    @Test(arguments: [
        ("shiny.example.com", "shiny.example.com"), ("SHINY.Example.com", "shiny.example.com"),
        ("*.example.com", "shiny.example.com"),
    ]) func namesOfTheHost(name: String, host: String) {
        #expect(HostCertificate.isMatch(name, host))
    }

    @Test(arguments: [
        ("example.com", "shiny.example.com"), ("*.example.com", "example.com"),
        ("*.example.com", "a.shiny.example.com"),
        ("shiny.example.com", "eviltshiny.example.com"), ("*", "com"), ("*.com", "example.com"), ("", ""), ("*.", "a."),
        ("shiny.*.com", "shiny.example.com"), ("s*.example.com", "shiny.example.com"),
        ("127.0.0.1", "shiny.example.com"),
        ("shiny.example.com.", "shiny.example.com"),
    ]) func namesOfOthers(name: String, host: String) {
        #expect(!HostCertificate.isMatch(name, host))
    }
}
