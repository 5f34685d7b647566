// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Advice {
    /// The user has the password changed that a recommendation is about (section 5); answered when that has ended.
    public enum Upgrade: WireMethod {
        public static let name = "renderer.upgrade"
        public typealias Answer = Upgrades.Run.Answer

        /// The parameters. They name no account: it is the one that was filled in that tab.
        public struct Params: Codable, Sendable, Equatable {
            public var handle: String
            /// The top document of the tab, as the browser states it now.
            public var frame: FrameEvidence

            public init(handle: String, frame: FrameEvidence) {
                self.handle = handle
                self.frame = frame
            }
        }
    }
}

extension Upgrades {
    /// The user agrees to changes of several passwords at once (section 6): each may then be run once on the same connection.
    public enum Plan: WireMethod {
        public static let name = "upgrades.plan"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// A host or URL; every account that can be changed where it is absent.
            public var service: String?
            /// One account of it.
            public var user: String?
            /// `strong-password`, which absent stands for, or `sign-in-with-apple`.
            public var kind: String?

            public init(service: String? = nil, user: String? = nil, kind: String? = nil) {
                self.service = service
                self.user = user
                self.kind = kind
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// In the order in which they had better be changed.
            public var accounts: [UpgradeStatement]

            public init(accounts: [UpgradeStatement]) {
                self.accounts = accounts
            }
        }
    }
}
