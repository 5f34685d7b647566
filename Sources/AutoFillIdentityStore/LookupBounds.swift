// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials
internal import ShownText

/// How much one look-up may read. A provider with more than that for one site loses sight of its oldest rows there, and costs
/// others nothing.
public struct LookupBounds: Hashable, Sendable {
    /// Rows of one word.
    public let rowsOfWord: Int
    /// Rows of all words together.
    public let rows: Int

    public init(rowsOfWord: Int, rows: Int) {
        self.rowsOfWord = rowsOfWord
        self.rows = rows
    }

    /// Beyond what a person has: a thousand accounts of one site.
    public static let standard = LookupBounds(rowsOfWord: 1_000, rows: 4_000)
}

/// What a look-up found.
public struct Lookup: Hashable, Sendable {
    /// Highest rank first, then what was saved last.
    public let identities: [CredentialIdentity]
    /// How many rows were opened.
    public let rowsRead: Int
}

/// A part of a store, in the order of saving.
public struct IdentityPage: Sendable {
    public let identities: [CredentialIdentity]
    /// Where the next page begins; `nil` at the end.
    public let next: Int64?
    /// How many rows were opened.
    public let rowsRead: Int
}

/// What a long change does between its steps, so that others have their turn.
public struct WritePace: Sendable {
    /// Identities, or words of the index, of one step.
    static let step = 512

    /// Whether the change is to go on; one that is not leaves everything as it was.
    let goesOn: @Sendable () -> Bool

    /// - Parameter goesOn: Called on the thread of the change; may block.
    public init(goesOn: @escaping @Sendable () -> Bool) {
        self.goesOn = goesOn
    }

    /// A change in one go.
    public static let none = WritePace { true }
}

extension CredentialIdentity {
    /// Whether its texts hold a control character or a line end.
    var holdsControls: Bool {
        user.holdsControls || service.value.holdsControls || recordIdentifier?.holdsControls == true
    }
}
