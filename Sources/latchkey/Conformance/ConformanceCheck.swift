// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that a provider has to do, and whether it did.
struct ConformanceCheck: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        case passed
        case failed(String)
        case skipped(String)
    }

    let name: String
    let outcome: Outcome
}

/// Why a check did not pass.
struct ConformanceFault: Error, Equatable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// Why a check has nothing to look at.
struct ConformanceSkip: Error, Equatable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// What a run found, for people and for scripts.
struct ConformanceReport: Equatable {
    let identifier: String
    let checks: [ConformanceCheck]

    var passed: Int { checks.count { $0.outcome == .passed } }
    var failed: Int { checks.count { if case .failed = $0.outcome { true } else { false } } }
    var skipped: Int { checks.count - passed - failed }

    /// Only a run in which something was looked at and nothing failed is a pass.
    var isPassed: Bool { failed == 0 && passed > 0 }

    var summary: String {
        "\(identifier): \(passed) passed, \(failed) failed, \(skipped) skipped."
    }

    /// One line a check; everything a provider said is escaped.
    static func line(_ check: ConformanceCheck) -> String {
        let (word, reason): (String, String?) =
            switch check.outcome {
            case .passed: ("passed ", nil)
            case .failed(let reason): ("FAILED ", reason)
            case .skipped(let reason): ("skipped", reason)
            }
        return TerminalText.escaped("\(word)  \(check.name)" + (reason.map { ": \($0)" } ?? ""))
    }

    var json: JSONText {
        let list = checks.map { check -> JSONText in
            let (word, reason): (String, String?) =
                switch check.outcome {
                case .passed: ("passed", nil)
                case .failed(let reason): ("failed", reason)
                case .skipped(let reason): ("skipped", reason)
                }
            return .object([
                ("name", .string(check.name)), ("outcome", .string(word)), ("reason", .optional(reason)),
            ])
        }
        return .object([
            ("identifier", .string(identifier)), ("passed", .integer(Int64(passed))),
            ("failed", .integer(Int64(failed))), ("skipped", .integer(Int64(skipped))), ("checks", .array(list)),
        ])
    }
}
