// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a page was given by the user, and what became of that (section 5).
public enum Submission {
    /// The user sent off a form, as far as can be seen from beside the page.
    public enum Submitted: WireMethod {
        public static let name = "page.submitted"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var frame: FrameEvidence
            public var page: PageStatement
            /// What the user typed, or Latchkey filled; nothing that a script of the page put there.
            public var values: [TypedValue]

            public init(frame: FrameEvidence, page: PageStatement, values: [TypedValue]) {
                self.frame = frame
                self.page = page
                self.values = values
            }
        }
    }

    /// The form is gone, or the page is another one by now.
    public enum Settled: WireMethod {
        public static let name = "page.settled"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            /// The document in which the form was sent off.
            public var document: String
            /// What is in its place now; absent where that cannot be seen.
            public var page: PageStatement?
            /// The origin of what is in its place now, as the browser states it.
            public var origin: String?
            /// Whether the user asks for it, in the extension's own document, while the form may still be there.
            public var asked: Bool?

            public init(
                tab: Int, document: String, page: PageStatement? = nil, origin: String? = nil, asked: Bool? = nil
            ) {
                self.asked = asked
                self.tab = tab
                self.document = document
                self.page = page
                self.origin = origin
            }
        }
    }

    /// Something that the user should know: a notification to the browser.
    public enum Notice: WireMethod {
        public static let name = "browser.notice"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            public var message: String

            public init(tab: Int, message: String) {
                self.tab = tab
                self.message = message
            }
        }
    }
}

/// What is in a field, as a secret.
public struct TypedValue: Codable, Sendable, Equatable {
    public var ref: Int
    public var value: WireSecret

    public init(ref: Int, value: WireSecret) {
        self.ref = ref
        self.value = value
    }
}

/// A password that is made for the page, as a renderer draws the offer of it.
public struct StrongOffer: Codable, Sendable, Equatable {
    public var handle: String
    /// Who keeps it.
    public var providerName: String

    public init(handle: String, providerName: String) {
        self.handle = handle
        self.providerName = providerName
    }
}
