// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Which lines of a long list are shown: a hundred at first, a hundred more each time, and from where no more fit into
/// one interface the later ones, so that every line can be reached.
struct ListWindow {
    /// So many lines come with each step.
    static let step = 100

    private var start = 0
    private var end = ListWindow.step
    private var room = InterfaceRoom()
    /// What was shown last.
    private(set) var shown = 0..<0

    /// The lines to be shown, by how many bytes each of them takes.
    mutating func show(_ costs: [Int], in room: InterfaceRoom) -> Range<Int> {
        self.room = room
        let first = min(start, costs.count)
        var bytes = Self.reserve
        var next = first
        while next < min(end, costs.count), next - first < room.rows, bytes + costs[next] <= room.bytes {
            bytes += costs[next]
            next += 1
        }
        shown = first..<next
        return shown
    }

    /// Moves on by a step from what was shown, keeping as much of it as fits.
    mutating func advance(_ costs: [Int]) {
        end = shown.upperBound + Self.step
        let last = min(end, costs.count)
        var bytes = Self.reserve
        var first = last
        while first > 0, last - first < room.rows, bytes + costs[first - 1] <= room.bytes {
            bytes += costs[first - 1]
            first -= 1
        }
        // What comes next is shown in any case, even if only a part of the step fits.
        start = min(first, shown.upperBound)
    }

    /// Goes back to the beginning where the list has become so short that nothing would be left to see.
    mutating func clamp(to count: Int) {
        if start > 0, start >= count { self = ListWindow() }
    }

    /// For the title of the section in whose middle the window begins, and for the list itself.
    private static let reserve = 8192
}
