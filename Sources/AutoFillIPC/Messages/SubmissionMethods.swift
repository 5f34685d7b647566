// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Submitted forms and their outcome (section 5).
public enum Submission {
    /// The user submitted a form, as far as the extension can detect.
    public enum Submitted: WireMethod {
        public static let name = "page.submitted"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var frame: FrameEvidence
            public var page: PageStatement
            /// The values that the user typed or Latchkey filled. Values set by the page's scripts are not included.
            public var values: [TypedValue]

            public init(frame: FrameEvidence, page: PageStatement, values: [TypedValue]) {
                self.frame = frame
                self.page = page
                self.values = values
            }
        }
    }

    /// The form has disappeared, or the page was replaced.
    public enum Settled: WireMethod {
        public static let name = "page.settled"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            /// The document in which the form was submitted.
            public var document: String
            /// The page that replaced it; absent if that cannot be read.
            public var page: PageStatement?
            /// The origin of that page, as stated by the browser.
            public var origin: String?
            /// Whether the user asks to save, in the extension's own document, while the form may still exist.
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

    /// A notification to the browser: something that the user should know.
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

/// The value of a field, as a secret.
public struct TypedValue: Codable, Sendable, Equatable {
    public var ref: Int
    public var value: WireSecret

    public init(ref: Int, value: WireSecret) {
        self.ref = ref
        self.value = value
    }
}

/// The offer of a password generated for the page, as drawn by a renderer.
public struct StrongOffer: Codable, Sendable, Equatable {
    public var handle: String
    /// The display name of the provider that will save it.
    public var providerName: String

    public init(handle: String, providerName: String) {
        self.handle = handle
        self.providerName = providerName
    }
}
