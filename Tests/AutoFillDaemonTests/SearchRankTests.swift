// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon

/// The order of what is found.
@Suite struct SearchRankTests {
    private func rank(_ names: String..., user: String = "", isFavorite: Bool = false, for search: String = "shop")
        -> SearchRank
    {
        SearchRank(of: names, user: user, isFavorite: isFavorite, for: search)
    }

    @Test func theBestMatchIsFirst() {
        let sorted = [
            rank("other.example", user: "shop"), rank("workshop.example"), rank("my-shop.example"),
            rank("shop.example"), rank("shop"),
        ]
        for (better, worse) in zip(sorted.dropFirst(), sorted) { #expect(better < worse) }
    }

    @Test func wwwAndCapitalsDoNotCount() {
        #expect(rank("www.shop.example") < rank("a-shop.example"))
        #expect(rank("Shop") < rank("shopping.example"))
        #expect(
            !(rank("www.shop.example") < rank("shop.example")) && !(rank("shop.example") < rank("www.shop.example")))
    }

    @Test func titleAndAnyHostCount() {
        #expect(rank("My books", "shop.example") < rank("a-shop.example"))
    }

    @Test func amongEqualsFavoritesAreFirst() {
        #expect(rank("shop.zoo", isFavorite: true) < rank("shop.ape"))
        #expect(rank("shop.ape") < rank("shop.zoo"))
        #expect(rank("shop.ape", user: "anna") < rank("shop.ape", user: "berta"))
        #expect(rank("shop") < rank("shop.ape", isFavorite: true))
    }
}
