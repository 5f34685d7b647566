// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Renderer {
    /// AutoFill's analysis of a page. Uses no saved data.
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
            /// The purpose of the page.
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

/// AutoFill's analysis of a field.
public struct InspectedField: Codable, Sendable, Equatable {
    public var ref: Int
    /// The role of the field; absent if it must not be filled.
    public var role: String?
    /// The confidence in the role, from 0 to 1.
    public var confidence: Double
    /// The reasons, as clauses for users.
    public var reasons: [String]
    /// The purpose of the field's form.
    public var kind: String?

    public init(ref: Int, role: String? = nil, confidence: Double, reasons: [String], kind: String? = nil) {
        self.ref = ref
        self.role = role
        self.confidence = confidence
        self.reasons = reasons
        self.kind = kind
    }
}
