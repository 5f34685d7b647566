// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillQuirks

/// What became of one file.
enum QuirksOutcome: Equatable {
    /// Read and checked, and printed anew.
    struct Good: Equatable {
        var text: String
        var entries: Int
        var version: String?
        var date: Int64?
    }

    case good(Good)
    case missing(String)
    case bad(String)
    case unavailable(String)

    private struct Statement: Decodable {
        var outcome: String
        var reason: String?
        var text: String?
        var entries: Int?
        var version: String?
        var date: Int64?
    }

    private struct Answer: Decodable {
        var files: [String: Statement]
    }

    /// Reads the result of a job; a file that it says nothing of is unavailable.
    static func outcomes(_ result: JSONValue, of files: [QuirksFile]) throws(WireError) -> [QuirksFile: QuirksOutcome] {
        let answer: Answer = try result.decoded()
        var outcomes: [QuirksFile: QuirksOutcome] = [:]
        for file in files {
            let statement = answer.files[file.rawValue]
            let reason = statement?.reason ?? "latchkey-fetch does not say why"
            switch statement?.outcome {
            case "good":
                guard let text = statement?.text, let entries = statement?.entries,
                    text.utf8.count <= 2 * file.maximumSize
                else { throw WireError(.providerUnavailable, "latchkey-fetch gave an invalid answer.") }
                outcomes[file] = .good(
                    Good(text: text, entries: entries, version: statement?.version, date: statement?.date))
            case "missing": outcomes[file] = .missing(reason)
            case "bad": outcomes[file] = .bad(reason)
            default: outcomes[file] = .unavailable(reason)
            }
        }
        return outcomes
    }
}
