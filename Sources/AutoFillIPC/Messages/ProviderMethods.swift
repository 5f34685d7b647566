// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Requests between the daemon and a provider (section 7), beside those of items.
public enum Provider {
    /// The first request.
    public enum Start: WireMethod {
        public static let name = "provider.start"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var `protocol`: Int
            public var identifier: String
            public var container: String
            public var key: WireSecret

            public init(`protocol`: Int, identifier: String, container: String, key: WireSecret) {
                self.`protocol` = `protocol`
                self.identifier = identifier
                self.container = container
                self.key = key
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var name: String
            public var version: String
            public var capabilities: [String]

            public init(name: String, version: String, capabilities: [String]) {
                self.name = name
                self.version = version
                self.capabilities = capabilities
            }
        }
    }

    /// The credential for an identity, without user interaction.
    public enum ProvideCredential: WireMethod {
        public static let name = "provider.provideCredential"
        public typealias Answer = CredentialAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var identity: IdentityStatement
            public var request: Int

            public init(identity: IdentityStatement, request: Int) {
                self.identity = identity
                self.request = request
            }
        }
    }

    /// The provider's own list.
    public enum PrepareCredentialList: WireMethod {
        public static let name = "provider.prepareCredentialList"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var services: [ServiceStatement]
            public var request: Int

            public init(services: [ServiceStatement], request: Int) {
                self.services = services
                self.request = request
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var sections: [ListSection]

            public init(sections: [ListSection]) {
                self.sections = sections
            }
        }
    }

    /// A row of that list was chosen.
    public enum SelectRow: WireMethod {
        public static let name = "provider.selectRow"
        public typealias Answer = CredentialAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var row: String

            public init(request: Int, row: String) {
                self.request = request
                self.row = row
            }
        }
    }

    /// Nobody waits any more.
    public enum Cancel: WireMethod {
        public static let name = "provider.cancel"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int

            public init(request: Int) {
                self.request = request
            }
        }
    }

    /// A consistent copy of what the provider keeps, in its container.
    public enum Snapshot: WireMethod {
        public static let name = "manage.snapshot"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var file: String

            public init(file: String) {
                self.file = file
            }
        }
    }

    /// The identity store's state.
    public enum StoreState: WireMethod {
        public static let name = "store.state"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var enabled: Bool
            public var supportsIncrementalUpdates: Bool

            public init(enabled: Bool, supportsIncrementalUpdates: Bool) {
                self.enabled = enabled
                self.supportsIncrementalUpdates = supportsIncrementalUpdates
            }
        }
    }

    /// Adds or replaces identities.
    public enum SaveIdentities: WireMethod {
        public static let name = "store.save"
        public typealias Params = IdentitiesParams
        public typealias Answer = Empty
    }

    /// Removes identities.
    public enum RemoveIdentities: WireMethod {
        public static let name = "store.remove"
        public typealias Params = IdentitiesParams
        public typealias Answer = Empty
    }

    /// Replaces all identities.
    public enum ReplaceIdentities: WireMethod {
        public static let name = "store.replace"
        public typealias Params = IdentitiesParams
        public typealias Answer = Empty
    }

    /// Removes all identities.
    public enum RemoveAllIdentities: WireMethod {
        public static let name = "store.removeAll"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Begins a batch that is too long for one message.
    public enum BeginBatch: WireMethod {
        public static let name = "store.begin"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// `save`, `remove` or `replace`.
            public var operation: String

            public init(operation: String) {
                self.operation = operation
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var batch: Int

            public init(batch: Int) {
                self.batch = batch
            }
        }
    }

    /// Adds to a batch.
    public enum AppendBatch: WireMethod {
        public static let name = "store.append"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var batch: Int
            public var identities: [IdentityStatement]

            public init(batch: Int, identities: [IdentityStatement]) {
                self.batch = batch
                self.identities = identities
            }
        }
    }

    /// Carries a batch out: all or none.
    public enum CommitBatch: WireMethod {
        public static let name = "store.commit"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var batch: Int

            public init(batch: Int) {
                self.batch = batch
            }
        }
    }
}
