// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Which keys are neighbours on a keyboard.
struct Keyboard {
    /// As far as guessing goes: a full keyboard, or a number pad. Dvorak counts as Qwerty does, both pads as the first.
    struct Extent {
        /// How many keys one can start from.
        let keys: Double
        /// How many neighbours a key has on average.
        let neighbours: Double
    }

    static let all = [qwerty, dvorak, keypad, macKeypad]

    private static let qwerty = Keyboard(
        rows: [
            (0, "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) -_ =+"),
            (1, "qQ wW eE rR tT yY uU iI oO pP [{ ]} \\|"),
            (1, "aA sS dD fF gG hH jJ kK lL ;: '\""),
            (1, "zZ xX cC vV bB nN mM ,< .> /?"),
        ], neighbours: slanted, isPad: false, like: nil)
    private static let dvorak = Keyboard(
        rows: [
            (0, "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) [{ ]}"),
            (1, "'\" ,< .> pP yY fF gG cC rR lL /? =+ \\|"),
            (1, "aA oO eE uU iI dD hH tT nN sS -_"),
            (1, ";: qQ jJ kK xX bB mM wW vV zZ"),
        ], neighbours: slanted, isPad: false, like: qwerty.extent)
    private static let keypad = Keyboard(
        rows: [(1, "/ * -"), (0, "7 8 9 +"), (0, "4 5 6"), (0, "1 2 3"), (1, "0 .")],
        neighbours: aligned, isPad: true, like: nil)
    private static let macKeypad = Keyboard(
        rows: [(1, "= / *"), (0, "7 8 9 -"), (0, "4 5 6 +"), (0, "1 2 3"), (1, "0 .")],
        neighbours: aligned, isPad: true, like: keypad.extent)

    /// Rows that stand half a key further to the right than the ones above.
    private static let slanted = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)]
    private static let aligned = [(-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1)]

    let isPad: Bool
    let extent: Extent
    /// For each character, the keys around it by direction, each with what it gives plain and shifted.
    private let around: [Unicode.Scalar: [[Unicode.Scalar]]]

    private init(
        rows: [(shift: Int, keys: String)], neighbours: [(Int, Int)], isPad: Bool, like: Extent?
    ) {
        var keys: [SIMD2<Int>: [Unicode.Scalar]] = [:]
        for (row, line) in rows.enumerated() {
            for (column, key) in line.keys.split(separator: " ").enumerated() {
                keys[SIMD2(column + line.shift, row)] = Array(key.unicodeScalars)
            }
        }
        var around: [Unicode.Scalar: [[Unicode.Scalar]]] = [:]
        for (place, characters) in keys {
            let there = neighbours.map { keys[place &+ SIMD2($0.0, $0.1)] ?? [] }
            for character in characters { around[character] = there }
        }
        let total = around.values.reduce(0) { $0 + $1.count { !$0.isEmpty } }
        self.around = around
        self.isPad = isPad
        extent = like ?? Extent(keys: Double(around.count), neighbours: Double(total) / Double(around.count))
    }

    /// In which direction one character lies from another, and whether it is a shifted one; nothing where it is not beside it.
    func step(from character: Unicode.Scalar, to next: Unicode.Scalar) -> (direction: Int, isShifted: Bool)? {
        guard let keys = around[character] else { return nil }
        for (direction, key) in keys.enumerated() {
            if let index = key.firstIndex(of: next) { return (direction, index == 1) }
        }
        return nil
    }
}
