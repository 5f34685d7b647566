// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The longest text, in bytes, that Swift keeps inside the value itself.
private let inlineLimit = 15

extension String {
    /// UTF-8 as a text whose bytes are on the heap, however short it is; `nil` for other bytes.
    ///
    /// A text of up to 15 bytes is usually inside the value, and so in every copy of it: on stacks, in registers, in places of
    /// arrays and dictionaries that are free again. No allocator wipes those. With its bytes on the heap, all copies only refer to
    /// them, and `CWipe` wipes them when the last one is gone.
    public init?(onHeap bytes: UnsafeRawBufferPointer) {
        let text = String(unsafeUninitializedCapacity: Swift.max(bytes.count, inlineLimit + 1)) { place in
            UnsafeMutableRawBufferPointer(place).copyMemory(from: bytes)
            return bytes.count
        }
        // What is not UTF-8 was repaired.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }

    /// The same text with its bytes on the heap.
    public var onHeap: String {
        guard utf8.count <= inlineLimit else { return self }
        var text = ""
        text.reserveCapacity(inlineLimit + 1)
        text += self
        return text
    }
}
