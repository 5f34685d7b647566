// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CPSL
internal import FoundationEssentials
internal import Glibc

/// One public suffix list, ICANN and private sections both.
public struct PublicSuffixes: Sendable {
    /// Where it came from: the path of its file, or `libpsl` for the copy inside that library.
    public let source: String
    /// When it was made, in seconds since 1970: what its `VERSION` line says, but not after the file was written, or else when
    /// the file was written; 0 where nobody says.
    public let date: Int64
    /// What distinguishes its contents from other lists': indexes made with another one are made anew.
    public let version: String
    /// Whether it has both sections to their ends, and as many rules as a whole list has.
    public let isWhole: Bool

    private let list: List

    /// The list of the distribution.
    public static let distribution: PublicSuffixes = {
        let folder = "/usr/share/publicsuffix/public_suffix_list"
        let file = PublicSuffixes(path: folder + ".dafsa") ?? PublicSuffixes(path: folder + ".dat")
        let inside = PublicSuffixes()
        guard let file else { return inside }
        return inside.date > file.date ? inside : file
    }()

    /// Reads a list, as text or compiled; nothing where there is none or it has no rules.
    public init?(path: String) {
        guard let file = try? RegularFile.read(path, limit: 8 << 20), !file.contents.isEmpty else { return nil }
        self.init(contents: Array(file.contents), source: path, modified: file.modified)
    }

    /// Reads a list from its bytes.
    init?(contents: [UInt8], source: String, modified: Int64) {
        let isCompiled = contents.starts(with: Array(".DAFSA@".utf8))
        guard let list = List(contents), isCompiled || psl_suffix_count(list.pointer) > 0 else { return nil }
        self.list = list
        self.source = source
        // The header is at the beginning, among the first lines.
        let header = String(decoding: contents.prefix(2_048), as: UTF8.self)
        date = isCompiled ? modified : min(Self.statedDate(header) ?? modified, modified)
        version = "\(contents.count)-\(Self.digest(contents))"
        let text = isCompiled ? "" : String(decoding: contents.suffix(4_096), as: UTF8.self)
        isWhole =
            isCompiled
            || (psl_suffix_count(list.pointer) >= 5_000 && text.contains("===END PRIVATE DOMAINS==="))
    }

    /// The copy inside libpsl; no rules at all, and so no sites but single hosts, where it was built without one.
    private init() {
        list = List()
        source = "libpsl"
        date = Int64(psl_builtin_file_time())
        version = "libpsl " + (psl_builtin_sha1sum().map { String(cString: $0) } ?? "")
        isWhole = list.pointer != nil
    }

    /// The newest of the distribution's list and of those at some paths; among equally new ones the first. One that is
    /// unreadable, or that is not whole, is left out: with half of a list strangers would be one site.
    public static func newest(of paths: [String]) -> PublicSuffixes {
        paths.reversed().compactMap { PublicSuffixes(path: $0) }.filter(\.isWhole)
            .reduce(distribution) { $1.date >= $0.date ? $1 : $0 }
    }

    /// The registrable domain of a host; nothing where it has none (addresses, `localhost` and all below it, single labels,
    /// suffixes themselves).
    ///
    /// - Parameter host: In the form of `Origin.host`; in ASCII, so that no IDNA is involved.
    public func registrableDomain(of host: String) -> String? {
        labelCount(of: host).map { count in
            var dots = count
            // The last `count` labels.
            let start = host.utf8.lastIndex { byte in
                if byte == UInt8(ascii: ".") { dots -= 1 }
                return dots == 0
            }
            return start.map { String(host[host.utf8.index(after: $0)...]) } ?? host
        }
    }

    /// Whether two hosts have one registrable domain.
    public func areSameSite(_ first: String, _ second: String) -> Bool {
        // A registrable domain has two labels at least; most hosts differ in those, and the list need not be asked.
        guard first.utf8.reversed().prefix(upToDots: 2).elementsEqual(second.utf8.reversed().prefix(upToDots: 2)),
            let count = labelCount(of: first), labelCount(of: second) == count
        else { return false }
        return first.utf8.reversed().prefix(upToDots: count).elementsEqual(
            second.utf8.reversed().prefix(upToDots: count))
    }

    /// How many labels the registrable domain of a host has; nothing where it has none.
    private func labelCount(of host: String) -> Int? {
        guard let pointer = list.pointer, let last = host.utf8.last, last != UInt8(ascii: "]"),
            !(0x30...0x39).contains(last) || IPv4Address(plain: host) == nil,
            host.utf8.contains(UInt8(ascii: ".")), !host.hasSuffix(".localhost")
        else { return nil }
        // What libpsl answers points into what it was asked, so it is looked at while that still lives.
        return host.withCString { text in
            guard var domain = psl_registrable_domain(pointer, text) else { return nil }
            var count = 1
            while domain.pointee != 0 {
                if domain.pointee == CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
                domain += 1
            }
            return count
        }
    }

    /// The moment of a line like `// VERSION: 2026-08-19_07-31-02_UTC`.
    private static func statedDate(_ header: String) -> Int64? {
        guard let line = header.split(separator: "\n").first(where: { $0.hasPrefix("// VERSION: ") }) else {
            return nil
        }
        let numbers = line.dropFirst("// VERSION: ".count).split { !$0.isNumber }.prefix(6).compactMap { Int64($0) }
        guard numbers.count == 6, (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2]), (0...23).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...60).contains(numbers[5])
        else { return nil }
        // Days since 1970 in the Gregorian calendar, with years that begin in March.
        let year = numbers[1] > 2 ? numbers[0] : numbers[0] - 1
        let month = (numbers[1] + 9) % 12
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2] - 1 - 719_468
        return days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
    }

    /// FNV-1a of 64 bits: it tells lists apart, it does not authenticate them.
    private static func digest(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    /// Sendable unchecked: libpsl only reads a list once it is loaded.
    private final class List: @unchecked Sendable {
        let pointer: OpaquePointer?

        /// The one inside the library, which is nobody's to free.
        init() {
            pointer = psl_builtin()
        }

        init?(_ contents: [UInt8]) {
            pointer = contents.withUnsafeBytes { bytes in
                // Read only, whatever the type says.
                guard let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    let file = fmemopen(base, bytes.count, "r")
                else { return nil }
                defer { fclose(file) }
                return psl_load_fp(file)
            }
            if pointer == nil { return nil }
        }

        deinit {
            // Does nothing with the built-in one.
            psl_free(pointer)
        }
    }
}

extension Sequence<UInt8> {
    /// What comes before the given number of dots, or everything.
    fileprivate func prefix(upToDots count: Int) -> some Sequence<UInt8> {
        var dots = 0
        return self.prefix { byte in
            if byte == UInt8(ascii: ".") { dots += 1 }
            return dots < count
        }
    }
}
