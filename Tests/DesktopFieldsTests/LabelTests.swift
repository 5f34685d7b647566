// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopFields

/// The label of a field that names none itself, by where it stands.
@Suite struct LabelTests {
    private static func place(_ x: Int32, _ y: Int32, _ width: Int32 = 80, _ height: Int32 = 20)
        -> AccessibleObject.Place
    {
        .init(x: x, y: y, width: width, height: height)
    }

    @Test func labelInTheSameRowWins() {
        let labels = [("Above", Self.place(100, 70)), ("Left", Self.place(10, 100)), ("Row above", Self.place(10, 60))]
        #expect(WindowReader.nearest(to: Self.place(100, 98, 120, 26), labels) == "Left")
    }

    @Test func nearestOfTheRowWins() {
        let labels = [("Far", Self.place(0, 100)), ("Near", Self.place(200, 100))]
        #expect(WindowReader.nearest(to: Self.place(300, 98), labels) == "Near")
    }

    @Test func labelAboveIsTakenWhereTheRowHasNone() {
        let labels = [("Above", Self.place(100, 76)), ("Higher", Self.place(100, 50)), ("Right", Self.place(400, 100))]
        #expect(WindowReader.nearest(to: Self.place(100, 100), labels) == "Above")
    }

    @Test func nothingNearIsNoLabel() {
        let labels = [
            ("Far above", Self.place(100, 0)), ("Below", Self.place(100, 200)), ("Beside", Self.place(400, 76)),
        ]
        #expect(WindowReader.nearest(to: Self.place(100, 100), labels) == nil)
    }

    @Test func hugeAndNegativeSizesAreNoCrash() {
        let labels = [
            ("x", Self.place(-100_000, -100_000, -5, -5)), ("y", Self.place(100_000, 100_000, 100_000, 100_000)),
        ]
        _ = WindowReader.nearest(to: Self.place(100_000, 100_000, 100_000, 100_000), labels)
    }
}
