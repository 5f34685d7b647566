// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// A state for which a test waited, and which did not come.
package struct NothingCame: Error, CustomStringConvertible {
    package let description: String
}

/// Waits for a state that raises no event: asks every few milliseconds, and fails the test after half a minute.
///
/// - Parameter what: The state in words, for the failure.
package nonisolated(nonsending) func eventually(
    _ what: String = "the state", sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while try await !condition() {
        guard ContinuousClock.now < end else {
            let late = NothingCame(description: "It did not come in time: \(what)")
            Issue.record(late, sourceLocation: sourceLocation)
            throw late
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
