// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Saving and generating passwords, between the daemon and a provider (section 7).
public enum Saving {
    /// Keeps a password, without user interaction.
    public enum Save: WireMethod {
        public static let name = "provider.savePassword"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var service: ServiceStatement
            public var user: String
            public var password: WireSecret
            public var title: String?
            /// The same for all requests that one form brings about.
            public var session: String
            /// `userInitiated`, `formDidDisappear` or `generatedPasswordFilled`.
            public var event: String
            /// What a generated password is made of; absent for one that the user wrote.
            public var kind: String?
            public var context: RequestContext?

            public init(
                request: Int,
                service: ServiceStatement,
                user: String,
                password: WireSecret,
                title: String? = nil,
                session: String,
                event: String,
                kind: String? = nil,
                context: RequestContext? = nil
            ) {
                self.request = request
                self.service = service
                self.user = user
                self.password = password
                self.title = title
                self.session = session
                self.event = event
                self.kind = kind
                self.context = context
            }
        }
    }

    /// Keeps a password, with the provider's interface.
    public enum PrepareSave: WireMethod {
        public static let name = "provider.prepareSavePassword"
        public typealias Params = Save.Params
        public typealias Answer = Empty
    }

    /// Passwords that a place would take, made and not kept.
    public enum Generate: WireMethod {
        public static let name = "provider.generatePasswords"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var service: ServiceStatement
            /// The rules that the password's field states.
            public var fieldRules: String?
            /// The rules that the field for repeating it states.
            public var confirmRules: String?
            /// What is known of the site though it does not state it.
            public var quirkRules: String?
            public var context: RequestContext?

            public init(
                request: Int,
                service: ServiceStatement,
                fieldRules: String? = nil,
                confirmRules: String? = nil,
                quirkRules: String? = nil,
                context: RequestContext? = nil
            ) {
                self.request = request
                self.service = service
                self.fieldRules = fieldRules
                self.confirmRules = confirmRules
                self.quirkRules = quirkRules
                self.context = context
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The best one first.
            public var passwords: [GeneratedStatement]

            public init(passwords: [GeneratedStatement]) {
                self.passwords = passwords
            }
        }
    }
}

extension Saving {
    /// The same with the provider's interface, when the user wants to see what is made before it is used.
    public enum PrepareGenerate: WireMethod {
        public static let name = "provider.prepareGeneratePasswords"
        public typealias Params = Generate.Params
        public typealias Answer = Generate.Answer
    }
}

/// A password that a provider made up.
public struct GeneratedStatement: Codable, Sendable, Equatable {
    public var kind: String
    public var password: WireSecret

    public init(kind: String, password: WireSecret) {
        self.kind = kind
        self.password = password
    }
}

/// Generated passwords that were filled and not saved yet (sections 6 and 7: `generated.` and `manage.generated`).
public enum Generated {
    /// All of them, the newest first, without the passwords.
    public enum List: WireMethod {
        public static let name = "generated.list"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var generated: [PendingStatement]

            public init(generated: [PendingStatement]) {
                self.generated = generated
            }
        }
    }

    /// The password of one.
    public enum Reveal: WireMethod {
        public static let name = "generated.reveal"
        public typealias Params = Items.Reveal.Params
        public typealias Answer = Items.Reveal.Answer
    }

    /// Forgets one.
    public enum Remove: WireMethod {
        public static let name = "generated.remove"
        public typealias Params = ItemReference
        public typealias Answer = Empty
    }
}

/// A generated password that was filled and has not been saved yet, without itself.
public struct PendingStatement: Codable, Sendable, Equatable {
    public var id: String
    public var service: String
    /// Empty where nobody had said it yet.
    public var user: String
    public var kind: String
    /// In seconds since 1970.
    public var created: Int64

    public init(id: String, service: String, user: String, kind: String, created: Int64) {
        self.id = id
        self.service = service
        self.user = user
        self.kind = kind
        self.created = created
    }
}

/// Sites for which the user never wants to be asked (section 6).
public enum NeverSites {
    /// All of them, by name.
    public enum List: WireMethod {
        public static let name = "never.list"
        public typealias Params = Empty
        public typealias Answer = Sites
    }

    /// Adds one; `result` as that of `never.list`.
    public enum Add: WireMethod {
        public static let name = "never.add"
        public typealias Params = Site
        public typealias Answer = Sites
    }

    /// Takes one back.
    public enum Remove: WireMethod {
        public static let name = "never.remove"
        public typealias Params = Site
        public typealias Answer = Sites
    }

    /// A host, or a URL.
    public struct Site: Codable, Sendable, Equatable {
        public var site: String

        public init(site: String) {
            self.site = site
        }
    }

    /// Hosts, or URLs with a scheme.
    public struct Sites: Codable, Sendable, Equatable {
        public var sites: [String]

        public init(sites: [String]) {
            self.sites = sites
        }
    }
}
