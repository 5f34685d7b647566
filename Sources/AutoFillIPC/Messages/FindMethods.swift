// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import ShownText

extension Renderer {
    /// Accounts for the popup, on any page.
    public enum Find: WireMethod {
        public static let name = "renderer.find"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The text that the user typed; empty for the accounts of `origin`.
            public var search: String
            /// The form that may be filled, if the page has one.
            public var session: String?
            /// The origin of the page in front; absent where it has none.
            public var origin: String?

            public init(search: String, session: String? = nil, origin: String? = nil) {
                self.search = search
                self.session = session
                self.origin = origin
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The best match first.
            public var accounts: [FoundAccount]
            /// Whether the user has to be asked first, by `renderer.list`; absent if not.
            public var asks: Bool?

            public init(accounts: [FoundAccount], asks: Bool? = nil) {
                self.accounts = accounts
                self.asks = asks
            }
        }
    }

    /// Puts something of an account on the clipboard.
    public enum Copy: WireMethod {
        public static let name = "renderer.copy"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var handle: String
            /// `user`, `password` or `code`.
            public var what: String
            /// Whether to copy even where clipboard histories cannot be told to leave it out.
            public var unmarked: Bool?

            public init(handle: String, what: String, unmarked: Bool? = nil) {
                self.handle = handle
                self.what = what
                self.unmarked = unmarked
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// After how many seconds the clipboard is cleared.
            public var seconds: Int

            public init(seconds: Int) {
                self.seconds = seconds
            }
        }
    }
}

extension Renderer {
    /// Puts the password that an element of kind `saved` stands for on the clipboard.
    public enum CopySaved: WireMethod {
        public static let name = "renderer.copySaved"
        public typealias Answer = Copy.Answer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String
            public var element: String
            /// As of `renderer.copy`.
            public var unmarked: Bool?

            public init(prompt: String, element: String, unmarked: Bool? = nil) {
                self.prompt = prompt
                self.element = element
                self.unmarked = unmarked
            }
        }
    }
}

/// A saved account in the popup.
public struct FoundAccount: Codable, Sendable, Equatable {
    /// Names it in `renderer.copy`.
    public var handle: String
    /// Its own title, or where it is for.
    public var title: DisplayText
    /// The user name, or an empty text.
    public var user: DisplayText
    /// The provider's display name, if more than one provider is enabled.
    public var providerName: DisplayText?
    /// The parts that can be copied: `user`, `password`, `code`.
    public var copies: [String]
    /// Its website; absent where it has none.
    public var url: String?
    /// The row that fills it into the form, if it may go there.
    public var fill: Row?

    public init(
        handle: String, title: DisplayText, user: DisplayText, providerName: DisplayText? = nil, copies: [String],
        url: String? = nil, fill: Row? = nil
    ) {
        self.handle = handle
        self.title = title
        self.user = user
        self.providerName = providerName
        self.copies = copies
        self.url = url
        self.fill = fill
    }
}
