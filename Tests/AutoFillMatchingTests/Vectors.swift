// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Foundation
import Testing

@testable import AutoFillMatching

/// The tables of `Tests/Vectors/matching`.
enum Vectors {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Vectors/matching").path

    /// The project's neighbour, where data of other projects lies.
    static let shared = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data").path

    /// A line of a table about who may see what.
    struct Pair: Sendable, CustomTestStringConvertible {
        let family: String
        let decision: String
        let asked: Set<String>
        let isStrict: Bool
        let saved: String
        /// The top document first.
        let documents: [String]

        var testDescription: String { "\(saved) on \(documents.joined(separator: " > ")): \(decision)" }
    }

    /// A line of the table of imitations.
    struct Imitation: Sendable, CustomTestStringConvertible {
        let kind: String
        let saved: String
        let page: String

        var testDescription: String { "\(kind): \(saved) by \(page)" }
    }

    static let pairs = table("pairs.tsv").map(pair)
    static let shares = table("shared.tsv").map(pair)
    static let imitations = table("lookalikes.tsv").map { fields in
        Imitation(kind: fields[0], saved: fields[1], page: fields[2])
    }
    static let quirks = QuirksFolders(named: folder + "/quirks").load()

    static func pairs(_ families: String...) -> [Pair] {
        pairs.filter { families.contains($0.family) }
    }

    private static func pair(_ fields: [String]) -> Pair {
        let asked = Set(fields[2].split(separator: " ").map(String.init)).subtracting(["-", "strict"])
        let frames = fields.count > 5 ? fields[5].split(separator: " ").map(String.init) : []
        return Pair(
            family: fields[0], decision: fields[1], asked: asked, isStrict: fields[2] == "strict", saved: fields[3],
            documents: [fields.count > 4 ? fields[4] : ""] + frames)
    }

    private static func table(_ name: String) -> [[String]] {
        let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(plain)
        }
    }

    /// Without the numbers that stand for characters.
    private static func plain(_ field: Substring) -> String {
        var text = ""
        var rest = field
        while let start = rest.range(of: "{U+"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            text += rest[..<start.lowerBound]
            if let scalar = UInt32(rest[start.upperBound..<end], radix: 16).flatMap(Unicode.Scalar.init) {
                text.unicodeScalars.append(scalar)
            }
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}

extension MatchPolicy {
    /// What is decided for documents from the top down, in the words of the tables.
    func outcome(_ saved: String, isStrict: Bool = false, on documents: [String]) -> (
        decision: String, asked: Set<String>
    ) {
        let chain = documents.reversed().enumerated().map { index, url in
            ClaimedDocument(
                origin: ClaimedOrigin(Origin(url: url)?.description ?? url), documentIdentifier: "D\(index)")
        }
        switch OriginVerifier.verify(chain) {
        case .failure(.opaqueOrigin): return ("refused:opaque", [])
        case .failure(let refusal): return ("refused:\(refusal)", [])
        case .success(let verified):
            let match = match(SavedService(ServiceIdentifier(written: saved), isStrict: isStrict), for: verified.chain)
            let asked = match.consent.map { consent in
                switch consent {
                case .sharedService: "shared"
                case .frame: "frame"
                case .insecureLocal: "local"
                }
            }
            return ("\(match.decision.word)\(match.refusal.map { ":" + Self.word($0) } ?? "")", Set(asked))
        }
    }

    private static func word(_ refusal: MatchRefusal) -> String {
        switch refusal {
        case .unreadableService: "unreadableService"
        case .otherScheme: "otherScheme"
        case .otherHost: "otherHost"
        case .otherPort: "otherPort"
        case .strict: "strict"
        case .insecureAncestor: "insecureAncestor"
        case .notAssociated: "notAssociated"
        default: refusal.rawValue
        }
    }
}
