// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillQuirks
internal import FoundationEssentials

/// Fetches the JSON files of a set of quirks and reads them.
///
/// Request: `{"files": {NAME: {"address": URL} | {"descriptor": NUMBER}}}`. Result: `{"files": {NAME: OUTCOME}}`, where an outcome is
/// `{"outcome": "good", "text", "entries"}`, `{"outcome": "missing" | "bad" | "unavailable", "reason"}`.
struct QuirksJob: FetchJob {
    static let name = "quirks"
    static let maximumAnswer = 16 << 20

    private let files: [QuirksFile: QuirksPlace]

    init(_ request: JSONValue) throws(WireError) {
        let named: QuirksPlaces = try request.decoded()
        files = try named.files(among: QuirksFile.documents)
    }

    func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        await QuirksPlaces.outcomes(of: files) { file, place in
            await place.outcome(file, downloader) { bytes throws(QuirksFault) in
                let document = try QuirksDocument(bytes, of: file)
                return [
                    "text": .string(String(decoding: document.value.textWithoutSecrets, as: UTF8.self)),
                    "entries": .integer(Int64(document.entries)),
                ]
            }
        }
    }
}

/// Fetches a public suffix list and reads it. As `QuirksJob`, for the one file that is not JSON; its outcome has `version` and `date` too.
struct SuffixesJob: FetchJob {
    static let name = "suffixes"
    static let maximumAnswer = 8 << 20

    private let files: [QuirksFile: QuirksPlace]

    init(_ request: JSONValue) throws(WireError) {
        let named: QuirksPlaces = try request.decoded()
        files = try named.files(among: [.suffixes])
    }

    func run(_ downloader: Downloader) async throws(WireError) -> JSONValue {
        await QuirksPlaces.outcomes(of: files) { file, place in
            await place.outcome(file, downloader) { bytes throws(QuirksFault) in
                let list = try SuffixList(bytes, now: Int64(Date().timeIntervalSince1970))
                return [
                    "text": .string(list.text), "entries": .integer(Int64(list.count)),
                    "version": .string(list.version), "date": .integer(list.date),
                ]
            }
        }
    }
}

/// What a request for quirks names.
private struct QuirksPlaces: Decodable {
    var files: [String: QuirksPlace]

    func files(among known: [QuirksFile]) throws(WireError) -> [QuirksFile: QuirksPlace] {
        var named: [QuirksFile: QuirksPlace] = [:]
        for (name, place) in files {
            guard let file = QuirksFile(rawValue: name), known.contains(file),
                (place.address == nil) != (place.descriptor == nil)
            else { throw WireError(.invalidParams, "There is no such file of quirks, or no place for it.") }
            named[file] = place
        }
        return named
    }

    /// Every file at the same time; a server that dawdles over one does not take the others' time.
    static func outcomes(
        of files: [QuirksFile: QuirksPlace], _ outcome: @escaping @Sendable (QuirksFile, QuirksPlace) async -> JSONValue
    ) async -> JSONValue {
        await withTaskGroup(of: (String, JSONValue).self) { group in
            for (file, place) in files { group.addTask { (file.rawValue, await outcome(file, place)) } }
            var members: [String: JSONValue] = [:]
            for await (name, outcome) in group { members[name] = outcome }
            return .object(["files": .object(members)])
        }
    }
}

/// Where one file is: on a server, or open in this process.
private struct QuirksPlace: Decodable, Sendable {
    var address: String?
    var descriptor: Int32?

    func outcome(
        _ file: QuirksFile, _ downloader: Downloader, _ read: ([UInt8]) throws(QuirksFault) -> [String: JSONValue]
    ) async -> JSONValue {
        let bytes: [UInt8]
        if let descriptor {
            guard let content = PlainFile.read(descriptor, atMost: file.maximumSize) else {
                return Self.failed("bad", "it cannot be read, or is larger than \(file.maximumSize) bytes")
            }
            bytes = content
        } else {
            let outcome = await downloader.get(
                Download(
                    address ?? "", limit: file.maximumSize, deadline: .seconds(60), contentEncodings: [.gzip, .deflate])
            )
            switch outcome {
            case .answered(status: 200, _, let body): bytes = body
            case .answered(status: 404, _, _), .answered(status: 410, _, _):
                return Self.failed("missing", outcome.summary)
            case .tooLarge: return Self.failed("bad", "it is larger than \(file.maximumSize) bytes")
            default: return Self.failed("unavailable", outcome.summary)
            }
        }
        do {
            return .object(try read(bytes).merging(["outcome": .string("good")]) { first, _ in first })
        } catch {
            let isPage = bytes.first { !(0x09...0x0D).contains($0) && $0 != 0x20 } == UInt8(ascii: "<")
            return Self.failed("bad", isPage ? "it is a page of HTML" : error.reason)
        }
    }

    private static func failed(_ outcome: String, _ reason: String) -> JSONValue {
        .object(["outcome": .string(outcome), "reason": .string(reason)])
    }
}
