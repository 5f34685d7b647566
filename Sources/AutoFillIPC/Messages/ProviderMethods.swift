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
            public var groups: [GroupStatement]?
            public var debug: Bool?

            public init(
                `protocol`: Int,
                identifier: String,
                container: String,
                key: WireSecret,
                groups: [GroupStatement]? = nil,
                debug: Bool? = nil
            ) {
                self.`protocol` = `protocol`
                self.identifier = identifier
                self.container = container
                self.key = key
                self.groups = groups
                self.debug = debug
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
            public var context: RequestContext?

            public init(identity: IdentityStatement, request: Int, context: RequestContext? = nil) {
                self.identity = identity
                self.request = request
                self.context = context
            }
        }
    }

    /// The credential for an identity, with the provider's interface.
    public enum PrepareInterface: WireMethod {
        public static let name = "provider.prepareInterface"
        public typealias Params = ProvideCredential.Params
        public typealias Answer = CredentialAnswer
    }

    /// The provider's own list. The answer is what the user chose in it.
    public enum PrepareCredentialList: WireMethod {
        public static let name = "provider.prepareCredentialList"
        public typealias Answer = CredentialAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The services, most specific first; may be empty.
            public var services: [ServiceStatement]
            /// `password` (the default) or `one-time-code`.
            public var type: String?
            public var request: Int
            public var context: RequestContext?

            public init(
                services: [ServiceStatement],
                type: String? = nil,
                request: Int,
                context: RequestContext? = nil
            ) {
                self.services = services
                self.type = type
                self.request = request
                self.context = context
            }
        }
    }

    /// A text that the user chooses in the provider's interface.
    public enum ChooseText: WireMethod {
        public static let name = "provider.chooseText"
        public typealias Params = RequestReference
        public typealias Answer = CredentialAnswer
    }

    /// The provider's configuration.
    public enum Configure: WireMethod {
        public static let name = "provider.configure"
        public typealias Params = RequestReference
        public typealias Answer = Empty
    }

    /// An act of the user in the interface of a request.
    public enum Act: WireMethod {
        public static let name = "provider.act"
        public typealias Answer = Empty

        /// The parameters: `request`, and those of an `InterfaceAct`.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var act: InterfaceAct

            public init(request: Int, act: InterfaceAct) {
                self.request = request
                self.act = act
            }

            private enum CodingKeys: CodingKey { case request }

            public init(from decoder: any Decoder) throws {
                request = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .request)
                act = try InterfaceAct(from: decoder)
            }

            public func encode(to encoder: any Encoder) throws {
                try act.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(request, forKey: .request)
            }
        }
    }

    /// The provider shows its interface, or replaces it.
    public enum Show: WireMethod {
        public static let name = "interface.show"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var interface: InterfaceStatement

            public init(request: Int, interface: InterfaceStatement) {
                self.request = request
                self.interface = interface
            }
        }
    }

    /// The daemon no longer waits for a request's answer.
    public enum Cancel: WireMethod {
        public static let name = "provider.cancel"
        public typealias Params = RequestReference
        public typealias Answer = Empty
    }

    /// Names one of the daemon's requests.
    public struct RequestReference: Codable, Sendable, Equatable {
        public var request: Int

        public init(request: Int) {
            self.request = request
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

    /// Opens every record of what the provider keeps and answers how many items there are, removed ones left out.
    public enum Check: WireMethod {
        public static let name = "manage.check"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var items: Int

            public init(items: Int) {
                self.items = items
            }
        }
    }

    /// Makes damaged files of a provider's anew with what can still be read of them.
    public enum Repair: WireMethod {
        public static let name = "manage.repair"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// Number of items now; absent where the provider repairs nothing.
            public var kept: Int?
            /// Number of items that could not be read.
            public var lost: Int?

            public init(kept: Int? = nil, lost: Int? = nil) {
                self.kept = kept
                self.lost = lost
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

    /// Applies a batch: all of it, or nothing.
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

    /// Identities that are in the store.
    public enum ListIdentities: WireMethod {
        public static let name = "store.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var service: ServiceStatement?
            /// The types to list; empty for all.
            public var types: [String]?
            public var cursor: Int?

            public init(service: ServiceStatement? = nil, types: [String]? = nil, cursor: Int? = nil) {
                self.service = service
                self.types = types
                self.cursor = cursor
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var identities: [IdentityStatement]
            public var cursor: Int?

            public init(identities: [IdentityStatement], cursor: Int? = nil) {
                self.identities = identities
                self.cursor = cursor
            }
        }
    }
}

/// Requests of a provider's containing app (section 7), beside those of its store.
public enum ContainingApp {
    /// The app's folders and keys, as in `provider.start`.
    public enum Open: WireMethod {
        public static let name = "app.open"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var identifier: String
            public var container: String
            public var key: WireSecret
            public var groups: [GroupStatement]

            public init(identifier: String, container: String, key: WireSecret, groups: [GroupStatement]) {
                self.identifier = identifier
                self.container = container
                self.key = key
                self.groups = groups
            }
        }
    }

    /// Whether the provider is enabled.
    public enum State: WireMethod {
        public static let name = "app.state"
        public typealias Params = Empty
        public typealias Answer = EnabledAnswer
    }

    /// Asks the user to enable the provider.
    public enum RequestEnable: WireMethod {
        public static let name = "app.requestEnable"
        public typealias Params = Empty
        public typealias Answer = EnabledAnswer
    }

    /// Whether the provider is enabled.
    public struct EnabledAnswer: Codable, Sendable, Equatable {
        public var enabled: Bool

        public init(enabled: Bool) {
            self.enabled = enabled
        }
    }
}
