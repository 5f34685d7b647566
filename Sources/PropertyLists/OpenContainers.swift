// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Containers that were begun and not ended yet, for a reader that does not recurse.
struct OpenContainers {
    /// A container with what it holds so far. Its parts are changed in place: copies would cost the square of its count.
    private struct Container {
        let isDictionary: Bool
        var members: [String: PropertyList] = [:]
        var values: [PropertyList] = []
        /// Of the value that comes next in a dictionary.
        var key: String?
    }

    private let bounds: PropertyListBounds
    private var open: [Container] = []
    private var count = 0
    private var textBytes = 0
    /// The outermost value, once it has ended.
    private(set) var result: PropertyList?

    init(_ bounds: PropertyListBounds) {
        self.bounds = bounds
    }

    var isEmpty: Bool { open.isEmpty }

    /// The container that is filled now, as its element is called.
    var innermost: String? {
        open.last.map { $0.isDictionary ? "dict" : "array" }
    }

    mutating func begin(dictionary isDictionary: Bool) throws(PropertyListRefusal) {
        guard open.count < bounds.depth else {
            throw PropertyListRefusal("it is nested more than \(bounds.depth) deep")
        }
        try countOne()
        open.append(Container(isDictionary: isDictionary))
    }

    mutating func key(_ text: String) throws(PropertyListRefusal) {
        guard let last = open.indices.last, open[last].isDictionary, open[last].key == nil else {
            throw PropertyListRefusal("it has a key where none can be")
        }
        guard open[last].members[text] == nil else { throw PropertyListRefusal("it has a key twice") }
        try countOne()
        try countText(text.utf8.count)
        open[last].key = text
    }

    /// A value that is not a container.
    mutating func add(_ value: PropertyList) throws(PropertyListRefusal) {
        try countOne()
        switch value {
        case .string(let text): try countText(text.utf8.count)
        case .data(let bytes): try countText(bytes.count)
        default: break
        }
        try place(value)
    }

    /// Ends the innermost container, which is a value of the next one.
    mutating func end() throws(PropertyListRefusal) {
        guard let ended = open.popLast() else {
            throw PropertyListRefusal("it ends a container that it did not begin")
        }
        guard ended.key == nil else { throw PropertyListRefusal("it has a key without a value") }
        try place(ended.isDictionary ? .dictionary(ended.members) : .array(ended.values))
    }

    private mutating func place(_ value: PropertyList) throws(PropertyListRefusal) {
        guard let last = open.indices.last else {
            guard result == nil else { throw PropertyListRefusal("it has more than one value") }
            result = value
            return
        }
        guard open[last].isDictionary else { return open[last].values.append(value) }
        guard let key = open[last].key else { throw PropertyListRefusal("it has a value without a key") }
        open[last].members[key] = value
        open[last].key = nil
    }

    private mutating func countOne() throws(PropertyListRefusal) {
        count += 1
        guard count <= bounds.count else { throw PropertyListRefusal("it has more than \(bounds.count) values") }
    }

    private mutating func countText(_ bytes: Int) throws(PropertyListRefusal) {
        textBytes += bytes
        guard textBytes <= bounds.size else {
            throw PropertyListRefusal("its texts are larger than \(bounds.size) bytes")
        }
    }
}
