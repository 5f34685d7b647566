// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The `items.` methods of section 6, and the `manage.` methods of section 7, whose messages are the same.
public enum Items {
    /// A notification for those who follow the audit log: saved accounts were added, edited, removed or brought back.
    public enum Changed {
        public static let name = "items.changed"
    }

    /// Items whose services or user contain a text.
    public enum List: WireMethod {
        public static let name = "items.list"
        public typealias Params = ItemQuery
        public typealias Answer = ItemPage
    }

    /// One item, notes included.
    public enum Get: WireMethod {
        public static let name = "items.get"
        public typealias Answer = ItemAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String
            /// Whether to include the notes, which are a secret and pass the gate.
            public var notes: Bool?
            /// Whether a program asks by itself, which does not put off the idle lock; absent means `false`.
            public var quiet: Bool?

            public init(id: String, notes: Bool? = nil, quiet: Bool? = nil) {
                self.quiet = quiet
                self.id = id
                self.notes = notes
            }
        }
    }

    /// Adds all of the items, or none.
    public enum Add: WireMethod {
        public static let name = "items.add"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var items: [NewItem]

            public init(items: [NewItem]) {
                self.items = items
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var items: [Item]

            public init(items: [Item]) {
                self.items = items
            }
        }
    }

    /// Changes one item. The old password is added to its history.
    public enum Edit: WireMethod {
        public static let name = "items.edit"
        public typealias Params = ItemChanges
        public typealias Answer = ItemAnswer
    }

    /// Removes an item; it can be restored for 30 days.
    public enum Remove: WireMethod {
        public static let name = "items.remove"
        public typealias Params = ItemReference
        public typealias Answer = ItemAnswer
    }

    /// Restores a removed item.
    public enum Restore: WireMethod {
        public static let name = "items.restore"
        public typealias Params = ItemReference
        public typealias Answer = ItemAnswer
    }

    /// Has another provider save an item's account, and removes it here; passes the gate.
    public enum Move: WireMethod {
        public static let name = "items.move"
        public typealias Answer = ItemAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String
            /// The other provider's identifier.
            public var provider: String
            /// Whether what no provider is given, such as notes, may stay behind with the removed item.
            public var leavesRest: Bool?

            public init(id: String, provider: String, leavesRest: Bool? = nil) {
                self.id = id
                self.provider = provider
                self.leavesRest = leavesRest
            }
        }
    }

    /// The password of an item; passes the gate.
    public enum Reveal: WireMethod {
        public static let name = "items.reveal"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String
            /// `show` or `copy`, for the audit log.
            public var purpose: String?

            public init(id: String, purpose: String? = nil) {
                self.id = id
                self.purpose = purpose
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var password: WireSecret

            public init(password: WireSecret) {
                self.password = password
            }
        }
    }

    /// Everything that is saved, a page at a time, for a file that other programs read. Each page takes the passphrase.
    public enum Export: WireMethod {
        public static let name = "items.export"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var passphrase: WireSecret
            /// Of the page before; absent for the first.
            public var cursor: Int?

            public init(passphrase: WireSecret, cursor: Int? = nil) {
                self.passphrase = passphrase
                self.cursor = cursor
            }
        }

        /// An item with its secrets.
        public struct Account: Codable, Sendable, Equatable {
            public var item: Item
            public var password: WireSecret
            public var notes: WireSecret?
            /// The link with the set-up key of its codes.
            public var authenticator: WireSecret?

            public init(item: Item, password: WireSecret, notes: WireSecret? = nil, authenticator: WireSecret? = nil) {
                self.item = item
                self.password = password
                self.notes = notes
                self.authenticator = authenticator
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var accounts: [Account]
            /// The cursor of the next page; absent at the end.
            public var cursor: Int?
            /// Number of items that cannot be read because of damage; absent where there is none.
            public var unreadable: Int?

            public init(accounts: [Account], cursor: Int? = nil, unreadable: Int? = nil) {
                self.accounts = accounts
                self.cursor = cursor
                self.unreadable = unreadable
            }
        }
    }

    /// Which items have the passwords, notes and authenticators that the caller knows. Says nothing else about the others.
    public enum Compare: WireMethod {
        public static let name = "items.compare"
        /// At most this many items are compared by one request.
        public static let limit = 200

        /// An item, and what it may have.
        public struct Guess: Codable, Sendable, Equatable {
            public var id: String
            /// Absent where it does not matter, as the others.
            public var password: WireSecret?
            /// Text that the notes must contain as whole lines.
            public var notes: WireSecret?
            /// The link of its authenticator.
            public var authenticator: WireSecret?

            public init(
                id: String, password: WireSecret? = nil, notes: WireSecret? = nil, authenticator: WireSecret? = nil
            ) {
                self.notes = notes
                self.id = id
                self.password = password
                self.authenticator = authenticator
            }
        }

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var items: [Guess]

            public init(items: [Guess]) {
                self.items = items
            }
        }

        /// The result, in the order of the items. An item that is gone has none of it.
        public struct Answer: Codable, Sendable, Equatable {
            public var same: [Bool]

            public init(same: [Bool]) {
                self.same = same
            }
        }
    }

    /// The current code of an item's authenticator; passes the gate.
    public enum Code: WireMethod {
        public static let name = "items.code"
        public typealias Params = Reveal.Params

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var code: WireSecret
            /// Number of seconds for which this code remains the current one.
            public var secondsLeft: Int

            public init(code: WireSecret, secondsLeft: Int) {
                self.code = code
                self.secondsLeft = secondsLeft
            }
        }
    }

    /// The earlier passwords of an item; passes the gate.
    public enum History: WireMethod {
        public static let name = "items.history"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String
            /// Until when the one that is wanted was used, in seconds since 1970; absent for all.
            public var date: Int64?

            public init(id: String, date: Int64? = nil) {
                self.id = id
                self.date = date
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var changes: [PasswordChange]

            public init(changes: [PasswordChange]) {
                self.changes = changes
            }
        }
    }
}

/// What to list.
public struct ItemQuery: Codable, Sendable, Equatable {
    public var search: String?
    /// Whether to list removed items instead.
    public var removed: Bool?
    public var cursor: Int?
    /// Whether a program asks by itself, which does not put off the idle lock; absent means `false`.
    public var quiet: Bool?

    public init(search: String? = nil, removed: Bool? = nil, cursor: Int? = nil, quiet: Bool? = nil) {
        self.quiet = quiet
        self.search = search
        self.removed = removed
        self.cursor = cursor
    }
}

/// At most 200 items.
public struct ItemPage: Codable, Sendable, Equatable {
    public var items: [Item]
    /// The cursor of the next page; absent at the end.
    public var cursor: Int?
    /// Number of items that cannot be read because of damage; absent where there is none.
    public var unreadable: Int?

    public init(items: [Item], cursor: Int? = nil, unreadable: Int? = nil) {
        self.unreadable = unreadable
        self.items = items
        self.cursor = cursor
    }
}

/// Names one item.
public struct ItemReference: Codable, Sendable, Equatable {
    public var id: String

    public init(id: String) {
        self.id = id
    }
}

/// One item.
public struct ItemAnswer: Codable, Sendable, Equatable {
    public var item: Item

    public init(item: Item) {
        self.item = item
    }
}
