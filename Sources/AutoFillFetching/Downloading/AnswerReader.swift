// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Reads one answer, header line by header line and part by part, and decides as early as it can what becomes of it.
///
/// libcurl has split the lines and removed chunks; it has not decided anything else. After `outcome` is set there is nothing more to read.
struct AnswerReader {
    /// The headers of an answer that are handed on.
    static let keptHeaders: Set<String> = [
        "apple-failure-reason", "apple-try-direct", "content-type", "date", "etag", "last-modified", "retry-after",
    ]
    /// In characters.
    static let maximumHeader = 256
    /// The most bytes of all header lines together, those of interim answers and of trailers included.
    static let maximumHead = 81_920

    /// `nil` until it is decided.
    private(set) var outcome: DownloadOutcome?

    private let download: Download
    private var headSize = 0
    private var status: Int?
    private var fields: [(name: String, value: String)] = []
    private var isHeadComplete = false
    private var kept: [String: String] = [:]
    private var body: [UInt8] = []
    private var inflater: Inflater?

    init(_ download: Download) {
        self.download = download
    }

    /// Reads one header line with its end. Returns whether more is to be read.
    mutating func readHeader(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        guard outcome == nil else { return false }
        headSize += line.count
        guard headSize <= Self.maximumHead else { return end(Self.noHTTP) }
        // A trailer.
        guard !isHeadComplete else { return true }
        var text = line[...]
        if text.last == 0x0A { text = text.dropLast() }
        if text.last == 0x0D { text = text.dropLast() }
        guard let status else {
            self.status = Self.status(text)
            return self.status == nil ? end(Self.noHTTP) : true
        }
        guard text.isEmpty else {
            guard let field = Self.field(text) else { return end(Self.noHTTP) }
            fields.append(field)
            return true
        }
        if (100..<200).contains(status) {
            // Another answer follows; not one in another protocol, which was not asked for.
            guard status != 101 else { return end(Self.noHTTP) }
            self.status = nil
            fields = []
            return true
        }
        isHeadComplete = true
        outcome = decision(status)
        return outcome == nil
    }

    /// Reads a part of the body. Returns whether more is to be read.
    mutating func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard outcome == nil else { return false }
        guard isHeadComplete else { return end(Self.noHTTP) }
        guard let inflater else {
            guard body.count + bytes.count <= download.limit else { return end(.tooLarge) }
            body.append(contentsOf: bytes)
            return true
        }
        do throws(Inflater.Fault) {
            try inflater.inflate(bytes, into: &body, limit: download.limit)
            return true
        } catch {
            return end(error == .tooLarge ? .tooLarge : Self.damaged)
        }
    }

    /// What the answer is, now that libcurl says that it is complete.
    func complete() -> DownloadOutcome {
        if let outcome { return outcome }
        guard let status, isHeadComplete else { return Self.noHTTP }
        if let inflater, !inflater.isComplete { return Self.damaged }
        return .answered(status: status, headers: kept, body: body)
    }

    /// Whether the body had begun when a transfer failed.
    var isReadingBody: Bool { isHeadComplete }

    private mutating func end(_ outcome: DownloadOutcome) -> Bool {
        self.outcome = outcome
        return false
    }

    // MARK: Decisions

    /// What becomes of the answer before its body is read; `nil` if that is worth reading.
    private mutating func decision(_ status: Int) -> DownloadOutcome? {
        if (300..<400).contains(status), let location = values("location").first {
            return .redirected(status: status, to: Self.plain(location, HTTPSAddress.maximumLength))
        }
        for name in Self.keptHeaders {
            kept[name] = values(name).first.map { Self.plain($0, Self.maximumHeader) }
        }
        // The body of an error is for people; no person reads it here.
        guard (200..<300).contains(status), status != 204 else {
            return .answered(status: status, headers: kept, body: [])
        }
        let coding = values("content-encoding").joined(separator: ",").lowercased()
        let isPlain = coding.isEmpty || coding == "identity"
        let encoding = download.contentEncodings.first { $0.rawValue == coding }
        guard isPlain || encoding != nil else { return .brokenBody(reason: "an encoding that was not asked for") }
        let lengths = values("content-length")
        let codings = values("transfer-encoding").map { $0.lowercased() }
        // An answer that says both, or the same twice, is read differently by different readers (RFC 9112, section 6.3).
        guard lengths.count + codings.count <= 1, codings.allSatisfy({ $0 == "chunked" }) else { return Self.noHTTP }
        // Without either, an answer that was cut off could not be told from one that is complete.
        guard lengths.count + codings.count == 1 else { return .brokenBody(reason: "it does not say how long it is") }
        if let length = lengths.first {
            guard let length = Self.length(length) else { return Self.noHTTP }
            if isPlain, length > download.limit { return .tooLarge }
        }
        if let encoding {
            guard let inflater = Inflater(encoding) else { return Self.damaged }
            self.inflater = inflater
        }
        return nil
    }

    private func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    // MARK: Lines

    private static let noHTTP = DownloadOutcome.brokenBody(reason: "this is not HTTP, or was cut off")
    private static let damaged = DownloadOutcome.brokenBody(reason: "the compressed body is damaged")

    /// Three digits after the version (RFC 9112, section 4); no other version was asked for than HTTP/1.1.
    private static func status(_ line: some BidirectionalCollection<UInt8>) -> Int? {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].elementsEqual("HTTP/1.1".utf8) || parts[0].elementsEqual("HTTP/1.0".utf8),
            parts[1].count == 3
        else { return nil }
        return length(String(decoding: parts[1], as: UTF8.self)).flatMap { $0 >= 100 ? $0 : nil }
    }

    /// A name that is a token, directly before its colon (RFC 9112, section 5); so none that a line continues.
    private static func field(_ line: some BidirectionalCollection<UInt8>) -> (name: String, value: String)? {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty,
            parts[0].allSatisfy({ (0x21...0x7E).contains($0) && !#""(),/;<=>?@[\]{}"#.utf8.contains($0) })
        else { return nil }
        var value = parts[1]
        while value.first == 0x20 || value.first == 0x09 { value = value.dropFirst() }
        while value.last == 0x20 || value.last == 0x09 { value = value.dropLast() }
        guard value.allSatisfy({ $0 != 0 && $0 != 0x0D }) else { return nil }
        return (String(decoding: parts[0], as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    /// Digits only: `Int` would accept a sign.
    private static func length(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// A header as printable ASCII, cut off at the maximum.
    private static func plain(_ text: String, _ maximum: Int) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(maximum)))
    }
}
