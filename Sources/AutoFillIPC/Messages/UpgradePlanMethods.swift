// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Advice {
    /// The user accepts a recommendation to change a password (section 5). Answered when the change has ended.
    public enum Upgrade: WireMethod {
        public static let name = "renderer.upgrade"
        public typealias Answer = Upgrades.Run.Answer

        /// The parameters. They name no account, because it is the one that was filled in that tab.
        public struct Params: Codable, Sendable, Equatable {
            public var handle: String
            /// The top document of the tab, as currently stated by the browser.
            public var frame: FrameEvidence

            public init(handle: String, frame: FrameEvidence) {
                self.handle = handle
                self.frame = frame
            }
        }
    }
}

extension Upgrades {
    /// The user agrees to change several passwords at once (section 6). Each may then be changed once on the same connection.
    public enum Plan: WireMethod {
        public static let name = "upgrades.plan"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// A host or URL; absent for all accounts that can be changed.
            public var service: String?
            /// The user name of one account.
            public var user: String?
            /// `strong-password` (the default) or `sign-in-with-apple`.
            public var kind: String?

            public init(service: String? = nil, user: String? = nil, kind: String? = nil) {
                self.service = service
                self.user = user
                self.kind = kind
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The accounts, in the recommended order of changes.
            public var accounts: [UpgradeStatement]

            public init(accounts: [UpgradeStatement]) {
                self.accounts = accounts
            }
        }
    }
}
