// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The same text with its bytes on the heap and with room for more.
    ///
    /// Swift keeps up to 15 bytes inside the value, and so in every copy of it, where no allocator wipes them. The room
    /// `AutoFillSecrets` does the same for the texts of records and of the wire; this one uses no other room.
    var onHeap: String {
        var text = ""
        text.reserveCapacity(Swift.max(16, utf8.count))
        text += self
        return text
    }
}
