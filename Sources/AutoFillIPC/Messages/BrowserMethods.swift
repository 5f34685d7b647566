// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Requests of the daemon to a browser or another renderer (sections 5 and 6).
public enum Browser {
    /// Opens the prompt window.
    public enum Present: WireMethod {
        public static let name = "browser.present"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String

            public init(prompt: String) {
                self.prompt = prompt
            }
        }
    }

    /// An interface has changed, or a question no longer takes the PIN.
    public enum Update: WireMethod {
        public static let name = "browser.update"
        public typealias Params = Present.Params
        public typealias Answer = Empty
    }

    /// The user wants to see a question that waits without a window.
    public enum BringUp: WireMethod {
        public static let name = "browser.bringUp"
        public typealias Params = Present.Params
        public typealias Answer = Empty
    }

    /// The prompt has ended.
    public enum Dismiss: WireMethod {
        public static let name = "browser.dismiss"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String

            public init(prompt: String) {
                self.prompt = prompt
            }
        }
    }

    /// The browser's current statement about a frame.
    public enum Evidence: WireMethod {
        public static let name = "browser.evidence"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            public var frame: Int
            public var document: String

            public init(tab: Int, frame: Int, document: String) {
                self.tab = tab
                self.frame = frame
                self.document = document
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var chain: [ChainLink]

            public init(chain: [ChainLink]) {
                self.chain = chain
            }
        }
    }

    /// A notification: Latchkey was locked or unlocked, or preferences have changed.
    public enum Changed: WireMethod {
        public static let name = "browser.changed"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// `true` for a lock, also where it has been unlocked since; absent otherwise.
            public var locked: Bool?

            public init(locked: Bool? = nil) {
                self.locked = locked
            }
        }

        public typealias Answer = Empty
    }
}
