// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Notices of content scripts about their pages (section 5).
public enum Page {
    /// A field has received the focus.
    public enum Focused: WireMethod {
        public static let name = "page.focused"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var frame: FrameEvidence
            public var page: PageStatement
            public var focused: Int?
            /// Whether the browser confirms that the user has just acted in this document.
            public var active: Bool?

            public init(frame: FrameEvidence, page: PageStatement, focused: Int? = nil, active: Bool? = nil) {
                self.frame = frame
                self.page = page
                self.focused = focused
                self.active = active
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var bar: Bool
            public var session: String?
            public var fields: [FieldRoleAnswer]

            public init(bar: Bool, session: String? = nil, fields: [FieldRoleAnswer]) {
                self.bar = bar
                self.session = session
                self.fields = fields
            }
        }
    }

    /// A document was closed or left.
    public enum Left: WireMethod {
        public static let name = "page.left"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            public var document: String?

            public init(tab: Int, document: String? = nil) {
                self.tab = tab
                self.document = document
            }
        }
    }
}
