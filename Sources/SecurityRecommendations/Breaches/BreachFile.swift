// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file of leaked passwords' hashes, sorted, in haveibeenpwned's layout: lines `HASH:COUNT`.
///
/// It is searched by halving, with a read of a few bytes for each step; of a file of 40 GB that is 35 reads. It is read and not mapped:
/// a mapped file that somebody cuts short ends the process that looks into it.
public final class BreachFile: Sendable {
    /// What the lines are hashes of; their length says it.
    public let kind: HashKind
    private let descriptor: Int32
    private let size: Int

    /// Opens a file and looks at its first line.
    public init(path: String) throws(BreachError) {
        // Who puts a pipe there must not have the provider wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw BreachError(.unreadable, "\(path) cannot be opened.") }
        do throws(BreachError) {
            var facts = stat()
            guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                throw BreachError(.unreadable, "\(path) is not a file.")
            }
            let size = Int(facts.st_size)
            let start = try Self.read(descriptor, at: 0, BreachLine.maximumSize)
            let line = BreachLine(start.prefix { $0 != UInt8(ascii: "\n") })
            guard let line, let kind = HashKind.allCases.first(where: { $0.size * 2 == line.digits.count }) else {
                throw BreachError(.malformed, "\(path) does not hold lines of HASH:COUNT.")
            }
            (self.descriptor, self.size, self.kind) = (descriptor, size, kind)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// How often a hash was seen; 0 where it is not in the file.
    ///
    /// - Throws: `malformed` or `unsorted` where a line that was looked at shows that the answer would be worth nothing.
    public func count(of hash: [UInt8]) throws(BreachError) -> Int {
        let wanted = BreachLine.digits(of: hash)
        guard hash.count == kind.size else { return 0 }
        // The line that is looked for begins at or behind `low` and before `high`; both are beginnings of lines.
        var (low, high) = (0, size)
        var (least, most): ([UInt8]?, [UInt8]?) = (nil, nil)
        while low < high {
            let (start, end, line) = try line(around: low + (high - low) / 2, notBefore: low)
            if let least, !least.lexicographicallyPrecedes(line.digits) { throw Self.unsorted }
            if let most, !line.digits.lexicographicallyPrecedes(most) { throw Self.unsorted }
            if line.digits == wanted { return line.count }
            if line.digits.lexicographicallyPrecedes(wanted) {
                (low, least) = (end, line.digits)
            } else {
                (high, most) = (start, line.digits)
            }
        }
        return 0
    }

    private static let unsorted = BreachError(.unsorted, "The list of leaked passwords is not sorted by hash.")
    private static let malformed = BreachError(
        .malformed, "The list of leaked passwords does not hold lines of HASH:COUNT.")

    /// The line that a place of the file is in, and where it begins and the next one begins.
    private func line(
        around place: Int, notBefore low: Int
    ) throws(BreachError) -> (start: Int, end: Int, line: BreachLine) {
        let first = max(low, place - BreachLine.maximumSize)
        let bytes = try Self.read(descriptor, at: first, min(size, place + BreachLine.maximumSize) - first)
        let newLine = UInt8(ascii: "\n")
        // The file may have been cut short since it was opened.
        guard place - first < bytes.count else { throw Self.malformed }
        let before = bytes[..<(place - first)].lastIndex(of: newLine).map { $0 + 1 }
        guard let start = before ?? (first == low ? 0 : nil) else { throw Self.malformed }
        let end = bytes[(place - first)...].firstIndex(of: newLine)
        guard end != nil || first + bytes.count == size else { throw Self.malformed }
        guard let line = BreachLine(bytes[start..<(end ?? bytes.count)]), line.digits.count == kind.size * 2 else {
            throw Self.malformed
        }
        return (first + start, first + (end.map { $0 + 1 } ?? bytes.count), line)
    }

    private static func read(_ descriptor: Int32, at place: Int, _ count: Int) throws(BreachError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(place + filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard failure == 0 else { throw BreachError(.unreadable, "The list of leaked passwords cannot be read.") }
        return bytes
    }
}
