// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import TerminalRendering

/// One thing that a provider has to do, and whether it did.
package struct ConformanceCheck: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case passed
        case failed(String)
        case skipped(String)
    }

    package let name: String
    package let outcome: Outcome
}

/// Why a check did not pass.
package struct ConformanceFault: Error, Equatable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// Why a check has nothing to look at.
package struct ConformanceSkip: Error, Equatable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// What a run found, for people and for scripts.
package struct ConformanceReport: Equatable {
    package let identifier: String
    package let checks: [ConformanceCheck]

    package var passed: Int { checks.count { $0.outcome == .passed } }
    package var failed: Int { checks.count { if case .failed = $0.outcome { true } else { false } } }
    package var skipped: Int { checks.count - passed - failed }

    /// Only a run in which something was looked at and nothing failed is a pass.
    package var isPassed: Bool { failed == 0 && passed > 0 }

    package var summary: String {
        "\(identifier): \(passed) passed, \(failed) failed, \(skipped) skipped."
    }

    /// One line a check; everything a provider said is escaped.
    package static func line(_ check: ConformanceCheck) -> String {
        let (word, reason): (String, String?) =
            switch check.outcome {
            case .passed: ("passed ", nil)
            case .failed(let reason): ("FAILED ", reason)
            case .skipped(let reason): ("skipped", reason)
            }
        return TerminalText.escaped("\(word)  \(check.name)" + (reason.map { ": \($0)" } ?? ""))
    }

    package var json: JSONText {
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
