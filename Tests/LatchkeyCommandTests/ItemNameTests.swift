// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import latchkey

@Suite struct ItemNameTests {
    private static let items = [
        item("0f8e6a52c1d94b7f8e21a6d3b5c47f90", ["shiny.example.com"], "rmondello"),
        item("0f8e7777c1d94b7f8e21a6d3b5c47f90", ["https://shiny.example.com:8443"], "admin"),
        item("beef0000c1d94b7f8e21a6d3b5c47f90", ["cafe"], "me"),
        item("cafe0000c1d94b7f8e21a6d3b5c47f90", ["other.example", "http://plain.example"], "me"),
        item("4j87x95axkm1y7g3hnsdfj18mg", ["base32.example"], "me"),
        item("12340000c1d94b7f8e21a6d3b5c47f90", ["other.example"], "you"),
    ]

    private static func item(_ id: String, _ services: [String], _ user: String) -> Item {
        Item(id: id, services: services, user: user, created: 0, modified: 0)
    }

    private func choose(_ text: String, _ user: String? = nil) -> [String] {
        switch ItemName(text: text, user: user).choose(among: Self.items) {
        case .one(let item): [String(item.id.prefix(8))]
        case .none: []
        case .several(let items): items.map { String($0.id.prefix(8)) }
        }
    }

    @Test(
        arguments: [
            ("0f8e6a52c1d94b7f8e21a6d3b5c47f90", nil, ["0f8e6a52"]),
            ("0F8E6A52C1D94B7F8E21A6D3B5C47F90", nil, ["0f8e6a52"]),
            ("0f8e6", nil, ["0f8e6a52"]), ("0f8e", nil, ["0f8e6a52", "0f8e7777"]), ("0f8", nil, []),
            ("shiny.example.com", nil, ["0f8e6a52"]), ("https://Shiny.Example.com/login", nil, ["0f8e6a52"]),
            ("https://shiny.example.com:8443", nil, ["0f8e7777"]), ("shiny.example.com:8443", nil, ["0f8e7777"]),
            ("http://plain.example/x", nil, ["cafe0000"]), ("plain.example", nil, ["cafe0000"]),
            ("other.example", nil, ["cafe0000", "12340000"]), ("other.example", "you", ["12340000"]),
            ("other.example", "nobody", []), ("example.com", nil, []), ("", nil, []),
            // A part between dots, as people call a site; but not what many have in common.
            ("plain", nil, ["cafe0000"]), ("Shiny", nil, ["0f8e6a52", "0f8e7777"]), ("com", nil, []), ("lain", nil, []),
            // The beginning of one id and another's service at once: nobody can tell which is meant.
            ("cafe", nil, ["beef0000", "cafe0000"]), ("cafe0", nil, ["cafe0000"]),
            ("4j87", nil, ["4j87x95a"]), ("4J87X", nil, ["4j87x95a"]), ("4j8", nil, []), ("4j87_", nil, []),
        ] as [(String, String?, [String])]
    ) func chooses(text: String, user: String?, expected: [String]) {
        #expect(choose(text, user) == expected)
    }

    @Test func asksTheDaemonForTheHost() {
        #expect(ItemName(text: "https://a.example:8443/x", user: nil).search == "a.example")
        #expect(ItemName(text: "http://[::1]/", user: nil).search == "[::1]")
        #expect(ItemName(text: "beef", user: nil).search == nil)
    }
}
