// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Renderer {
    /// What AutoFill makes of a page; nothing of what is saved.
    public enum Inspect: WireMethod {
        public static let name = "renderer.inspect"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var page: PageStatement

            public init(page: PageStatement) {
                self.page = page
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// What the page is for.
            public var kind: String
            /// In the order of the page.
            public var fields: [InspectedField]

            public init(kind: String, fields: [InspectedField]) {
                self.kind = kind
                self.fields = fields
            }
        }
    }
}

/// What AutoFill makes of a field.
public struct InspectedField: Codable, Sendable, Equatable {
    public var ref: Int
    /// Absent where nothing may be filled.
    public var role: String?
    /// How sure that is, 0 to 1.
    public var confidence: Double
    /// Clauses for people.
    public var reasons: [String]
    /// What its form is for.
    public var kind: String?

    public init(ref: Int, role: String? = nil, confidence: Double, reasons: [String], kind: String? = nil) {
        self.ref = ref
        self.role = role
        self.confidence = confidence
        self.reasons = reasons
        self.kind = kind
    }
}
