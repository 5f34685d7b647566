// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import FormReading
import Testing

/// Small pages after troubles that people had with password managers, each with the right answer beside it in a table.
@Suite struct CaseTests {
    /// A line of `Tests/Vectors/cases/pages.tsv`.
    struct Case: CustomStringConvertible, Sendable {
        let file: String
        let kind: String
        /// The role of each control in document order, `-` for none.
        let roles: [String]

        var description: String { file }
    }

    private static let folder =
        #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Vectors/cases/"

    static let all: [Case] = String(decoding: VectorPage.read(folder + "pages.tsv"), as: UTF8.self)
        .split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t").map(String.init)
            guard columns.count == 4 else { return nil }
            return Case(file: columns[0], kind: columns[2], roles: columns[3].split(separator: " ").map(String.init))
        }

    @Test func hasCases() {
        #expect(Self.all.count >= 28)
    }

    @Test(arguments: all)
    func readsWhatPagesAskFor(_ page: Case) throws {
        let description = try HTMLPage(parsing: VectorPage.read(Self.folder + page.file)).description
        let analysis = FormAnalyzer().analyze(description)
        #expect(analysis.fields.map { $0.role?.rawValue ?? "-" } == page.roles)
        #expect(analysis.kind.rawValue == page.kind)
    }

    /// A choice at the user name fills one password, also where two fields look like it.
    @Test func fillsOneOfTwoPasswords() throws {
        let bytes = VectorPage.read(Self.folder + "two-passwords-one-button.html")
        let analysis = FormAnalyzer().analyze(try HTMLPage(parsing: bytes).description)
        #expect(analysis.companions(of: 0) == [1])
    }
}
