// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching

/// Asks haveibeenpwned for the leaked passwords whose SHA-1 begins with five digits (its range API, "k-anonymity").
///
/// Five hexadecimal digits are all that there is room for in a request: about a million passwords have them in common. Padding hides by
/// the size of the answer which range it was. What is answered is built anew from lines that are right; padding is left out.
struct RangeJob: FetchJob {
    static let name = RangeFetch.job
    static let maximumAnswer = 1 << 20

    private static let address = "https://api.pwnedpasswords.com/range/"
    private static let byteLimit = 1 << 20

    private let prefix: String

    init(_ request: JSONValue) throws(WireError) {
        let request: RangeFetch.Request = try request.decoded()
        guard request.prefix.utf8.count == 5, request.prefix.utf8.allSatisfy(Self.isDigit) else {
            throw WireError(.invalidParams, "A range is named by five hexadecimal digits.")
        }
        prefix = request.prefix
    }

    func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        var download = Download(
            Self.address + prefix, limit: Self.byteLimit, deadline: .seconds(20), contentEncodings: [.gzip, .deflate])
        download.asksForPadding = true
        guard let value = try? JSONValue(encoding: Self.answer(await downloader.get(download))) else {
            throw WireError(.internalError, "The answer cannot be written.")
        }
        return value
    }

    static func answer(_ outcome: DownloadOutcome) -> RangeFetch.Answer {
        guard case .answered(200, _, let body) = outcome else {
            return .init(trouble: AssociationInquiry.plain(outcome.summary))
        }
        let read = body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap(line)
        guard !read.isEmpty else { return .init(trouble: "the server sent something that is not a range") }
        let lines = read.filter { !$0.hasSuffix(":0") }
        // Of padding alone nothing is known to have leaked; a line without meaning says that it was answered.
        return .init(
            lines: lines.isEmpty ? String(repeating: "0", count: 35) + ":0\n" : lines.joined(separator: "\n") + "\n")
    }

    /// A line of 35 digits, a colon and a number, with its letters in upper case; nothing for any other.
    private static func line(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count > 36, bytes.count <= 48 else { return nil }
        let (suffix, count) = (bytes.prefix(35), bytes.dropFirst(36))
        guard suffix.allSatisfy({ isDigit($0) || (0x61...0x66).contains($0) }), bytes.dropFirst(35).first == 0x3A,
            count.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(String(decoding: count, as: UTF8.self))
        else { return nil }
        return String(decoding: suffix, as: UTF8.self).uppercased() + ":\(number)"
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
    }
}
