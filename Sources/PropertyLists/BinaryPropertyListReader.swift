// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Reads the binary format, version 00: a table of objects that name one another by number.
///
/// One object can be named from many places, so a small file can describe a large value, or one that holds itself. Every
/// visit counts against the bounds, texts with their bytes, and a container inside itself is refused.
struct BinaryPropertyListReader {
    static let magic = Array("bplist00".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let bounds: PropertyListBounds
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let table: Int

    init(_ bytes: [UInt8], _ bounds: PropertyListBounds) throws(PropertyListRefusal) {
        self.bytes = bytes
        self.bounds = bounds
        guard bytes.count >= Self.magic.count + Self.trailerSize else { throw Self.damaged }
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8)
        else { throw Self.damaged }
        guard objectCount <= bounds.count else {
            throw PropertyListRefusal("it has more than \(bounds.count) values")
        }
        guard top < objectCount, table >= Self.magic.count, table <= trailer,
            objectCount * offsetSize <= trailer - table
        else { throw Self.damaged }
        self.objectCount = objectCount
        self.top = top
        self.table = table
    }

    /// A container whose objects are being read: those still to come, the last one first.
    private struct Visit {
        let object: Int
        var keys: [Int]
        var values: [Int]
        let isDictionary: Bool
    }

    func read() throws(PropertyListRefusal) -> PropertyList {
        var containers = OpenContainers(bounds)
        var visits: [Visit] = []
        try visit(top, &visits, &containers)
        while let last = visits.indices.last {
            guard let value = visits[last].values.popLast() else {
                visits.removeLast()
                try containers.end()
                continue
            }
            if visits[last].isDictionary, let key = visits[last].keys.popLast() {
                guard case .string(let text) = try scalar(at: try place(of: key)) else {
                    throw PropertyListRefusal("it has a key that is not a string")
                }
                try containers.key(text)
            }
            try visit(value, &visits, &containers)
        }
        guard let result = containers.result else { throw Self.damaged }
        return result
    }

    private func visit(
        _ object: Int, _ visits: inout [Visit], _ containers: inout OpenContainers
    ) throws(PropertyListRefusal) {
        let place = try place(of: object)
        let kind = bytes[place] >> 4
        guard kind == 0xA || kind == 0xD else { return try containers.add(try scalar(at: place)) }
        // There are never more of them than the bounds let containers be nested.
        guard !visits.contains(where: { $0.object == object }) else {
            throw PropertyListRefusal("it has a container that holds itself")
        }
        try containers.begin(dictionary: kind == 0xD)
        let (count, start) = try length(at: place)
        guard count <= bounds.count else { throw PropertyListRefusal("it has more than \(bounds.count) values") }
        let total = kind == 0xD ? 2 * count : count
        guard total * referenceSize <= table - start else { throw Self.damaged }
        var references: [Int] = []
        for index in 0..<total {
            guard let reference = Self.number(bytes, start + index * referenceSize, referenceSize) else {
                throw Self.damaged
            }
            references.append(reference)
        }
        references.reverse()
        visits.append(
            Visit(
                object: object, keys: kind == 0xD ? Array(references[count...]) : [],
                values: Array(references[..<count]), isDictionary: kind == 0xD))
    }

    /// Where an object begins.
    private func place(of object: Int) throws(PropertyListRefusal) -> Int {
        guard object < objectCount, let place = Self.number(bytes, table + object * offsetSize, offsetSize),
            place >= Self.magic.count, place < table
        else { throw Self.damaged }
        return place
    }

    private func scalar(at place: Int) throws(PropertyListRefusal) -> PropertyList {
        let marker = bytes[place]
        switch (marker >> 4, marker & 0xF) {
        case (0x0, 0x8): return .boolean(false)
        case (0x0, 0x9): return .boolean(true)
        case (0x1, let power): return .integer(try integer(place + 1, power))
        case (0x2, 0x2): return .real(try finite(Double(Float(bitPattern: UInt32(try raw(place + 1, 4))))))
        case (0x2, 0x3): return .real(try finite(Double(bitPattern: try raw(place + 1, 8))))
        case (0x3, 0x3): return .date(try finite(Double(bitPattern: try raw(place + 1, 8))))
        case (0x4, _):
            let (count, start) = try length(at: place)
            return .data(Array(try part(start, count)))
        case (0x5, _):
            let (count, start) = try length(at: place)
            let text = try part(start, count)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw Self.badText }
            return .string(String(decoding: text, as: UTF8.self))
        case (0x6, _):
            let (count, start) = try length(at: place)
            guard count <= bounds.size else { throw Self.damaged }
            let text = try part(start, 2 * count)
            let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
                UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
            }
            guard let string = String(validating: units, as: UTF16.self) else { throw Self.badText }
            return .string(string)
        default: throw PropertyListRefusal("it has a value of a type that counts nowhere here")
        }
    }

    /// How many bytes or objects a marker announces, and where they begin.
    private func length(at place: Int) throws(PropertyListRefusal) -> (count: Int, start: Int) {
        let short = Int(bytes[place] & 0xF)
        guard short == 0xF else { return (short, place + 1) }
        guard place + 1 < table, bytes[place + 1] >> 4 == 0x1 else { throw Self.damaged }
        let power = bytes[place + 1] & 0xF
        let count = try integer(place + 2, power)
        guard count >= 0, count <= Int64(bytes.count) else { throw Self.damaged }
        return (Int(count), place + 2 + (1 << Int(power)))
    }

    /// A whole number of 1, 2 or 4 bytes without a sign, of 8 bytes with one, or of 16 bytes that fits into 8.
    private func integer(_ place: Int, _ power: UInt8) throws(PropertyListRefusal) -> Int64 {
        switch power {
        case 0...2: return Int64(try raw(place, 1 << Int(power)))
        case 3: return Int64(bitPattern: try raw(place, 8))
        case 4:
            let low = try raw(place + 8, 8)
            guard try raw(place, 8) == 0, let number = Int64(exactly: low) else {
                throw PropertyListRefusal("it has a number that is too large")
            }
            return number
        default: throw Self.damaged
        }
    }

    private func finite(_ number: Double) throws(PropertyListRefusal) -> Double {
        guard number.isFinite else { throw PropertyListRefusal("it has a number that is none") }
        return number
    }

    private func part(_ start: Int, _ count: Int) throws(PropertyListRefusal) -> ArraySlice<UInt8> {
        guard start <= table, count <= table - start else { throw Self.damaged }
        return bytes[start..<start + count]
    }

    private func raw(_ start: Int, _ size: Int) throws(PropertyListRefusal) -> UInt64 {
        try part(start, size).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number of at most 8 bytes without a sign; `nil` where it is beyond the file or has no place in memory.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard start >= 0, size <= bytes.count, start <= bytes.count - size else { return nil }
        return Int(exactly: bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            // Room for a sum and a product with what else is in a file.
            .flatMap { $0 <= 1 << 40 ? $0 : nil }
    }

    private static let damaged = PropertyListRefusal("it is a damaged binary property list")
    private static let badText = PropertyListRefusal("it has a string that is not text")
}
