// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import ShownText

/// Methods for the role desktop (section 12): fields of native apps.
public enum Desktop {
    /// A field of a sign-in form has the focus.
    public enum Focused: WireMethod {
        public static let name = "desktop.focused"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The process that the accessibility bus names as the owner of all the fields.
            public var process: Int32
            /// The fields with their roles, never what stands in them. Empty where only the refusal is asked for.
            public var fields: [Field]
            /// What stands in a field that the form labels as one for a server: it orders what is offered, and decides nothing.
            public var server: String?

            public init(process: Int32, fields: [Field], server: String? = nil) {
                self.process = process
                self.fields = fields
                self.server = server
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The name of the form in later requests; absent if nothing is offered in this program.
            public var session: String?
            /// The program as it is shown to the user.
            public var program: DisplayText
            /// The reason why nothing is offered in this program.
            public var refusal: DisplayText?
            /// Whether a password that the user types there may be saved; absent where it is not.
            public var saves: Bool?

            public init(
                session: String? = nil, program: DisplayText, refusal: DisplayText? = nil, saves: Bool? = nil
            ) {
                self.session = session
                self.program = program
                self.refusal = refusal
                self.saves = saves
            }
        }
    }

    /// A field and its role.
    public struct Field: Codable, Sendable, Equatable {
        public var ref: Int
        /// `username`, `current-password`, `new-password` or `one-time-code`.
        public var role: String

        public init(ref: Int, role: String) {
            self.ref = ref
            self.role = role
        }
    }

    /// The rows of the panel.
    public enum Suggestions: WireMethod {
        public static let name = "desktop.suggestions"
        public typealias Params = Form

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// `ready`, `locked` or `uninitialized`.
            public var state: String
            public var suggestions: [Row]
            /// The handle of a strong password, for a form that asks for a new one.
            public var strong: String?

            public init(state: String, suggestions: [Row], strong: String? = nil) {
                self.state = state
                self.suggestions = suggestions
                self.strong = strong
            }
        }
    }

    /// Names a form.
    public struct Form: Codable, Sendable, Equatable {
        public var session: String

        public init(session: String) {
            self.session = session
        }
    }

    /// The user chose a row of the panel.
    public enum Choose: WireMethod {
        public static let name = "desktop.choose"
        public typealias Answer = Fills

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var handle: String
            /// For a strong password: the user name that stands in the form, as a proposal for what is saved.
            public var user: String?

            public init(handle: String, user: String? = nil) {
                self.handle = handle
                self.user = user
            }
        }
    }

    /// The user wants to choose among everything that is saved. The daemon shows the list as an interface on the same connection.
    public enum Browse: WireMethod {
        public static let name = "desktop.browse"
        public typealias Params = Form
        public typealias Answer = Fills
    }

    /// What to write into which field.
    public struct Fills: Codable, Sendable, Equatable {
        public var fills: [Fill]
        /// A notice for the user that does not prevent the fill.
        public var notice: String?

        public init(fills: [Fill], notice: String? = nil) {
            self.fills = fills
            self.notice = notice
        }
    }

    /// Asks the user to unlock.
    public enum Unlock: WireMethod {
        public static let name = "desktop.unlock"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// The user typed a password by themselves, and the form is gone. It is answered before the user is asked whether it is to be saved.
    public enum Typed: WireMethod {
        public static let name = "desktop.typed"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable {
            public var session: String
            /// What stood in the field for the user name, as a proposal.
            public var user: String
            /// What stood in the field that the form labels as one for a server, as a proposal.
            public var server: String?
            public var password: WireSecret

            public init(session: String, user: String, server: String? = nil, password: WireSecret) {
                self.session = session
                self.user = user
                self.server = server
                self.password = password
            }
        }
    }

    /// The form is no longer in front.
    public enum Left: WireMethod {
        public static let name = "desktop.left"
        public typealias Params = Form
        public typealias Answer = Empty
    }

    /// Whether anything fills native programs in this session, and how.
    public enum Status: WireMethod {
        public static let name = "desktop.status"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var connected: Bool
            /// What it says of itself; absent if it does not answer.
            public var surface: Surface?

            public init(connected: Bool, surface: Surface? = nil) {
                self.connected = connected
                self.surface = surface
            }
        }
    }

    /// What is offered for forms that ask for a code has changed: the panel asks for it anew.
    public enum Changed: WireMethod {
        public static let name = "desktop.changed"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Waits for the next field that gets the focus, and says what AutoFill sees in its window.
    public enum Inspect: WireMethod {
        public static let name = "desktop.inspect"
        public typealias Params = Empty

        /// The result. The names of the window and its fields are the program's own words.
        public struct Answer: Codable, Sendable, Equatable {
            /// The process that the accessibility bus names.
            public var process: Int32
            public var title: DisplayText
            public var fields: [InspectedField]
            /// Why nothing is offered at this field, whatever is saved.
            public var refusal: DisplayText?
            /// The program, and why nothing is offered in it; stated by the daemon.
            public var program: DisplayText?
            /// `ready`, `locked` or `uninitialized`; stated by the daemon.
            public var state: String?
            /// What is offered, and why; stated by the daemon.
            public var offers: [InspectedOffer]?

            public init(process: Int32, title: DisplayText, fields: [InspectedField], refusal: DisplayText?) {
                self.process = process
                self.title = title
                self.fields = fields
                self.refusal = refusal
            }
        }
    }

    /// A field as AutoFill sees it. Never what stands in it.
    public struct InspectedField: Codable, Sendable, Equatable {
        public var label: DisplayText
        public var identifier: DisplayText
        public var role: String?
        public var reasons: [String]
        public var secure: Bool
        public var focused: Bool
        /// Whether it takes text through the accessibility bus.
        public var takesText: Bool

        public init(
            label: DisplayText, identifier: DisplayText, role: String?, reasons: [String], secure: Bool, focused: Bool,
            takesText: Bool
        ) {
            self.label = label
            self.identifier = identifier
            self.role = role
            self.reasons = reasons
            self.secure = secure
            self.focused = focused
            self.takesText = takesText
        }
    }

    /// An account that is offered in a window.
    public struct InspectedOffer: Codable, Sendable, Equatable {
        public var user: DisplayText
        public var service: DisplayText
        /// `association` or `binding`.
        public var ground: String

        public init(user: DisplayText, service: DisplayText, ground: String) {
            self.user = user
            self.service = service
            self.ground = ground
        }
    }

    /// Asks what fills native programs about its display and its sandbox.
    public enum Describe: WireMethod {
        public static let name = "desktop.describe"
        public typealias Params = Empty
        public typealias Answer = Surface
    }

    /// Where the panel is drawn, and by what kind of process.
    public struct Surface: Codable, Sendable, Equatable {
        /// `x11` or `wayland`.
        public var display: String
        /// How the panel is placed: `field` (under the field), `layer` (at the place that the compositor is told), `window` (where the
        /// desktop puts it).
        public var panel: String
        /// Whether it runs in a sandbox.
        public var confined: Bool

        public init(display: String, panel: String, confined: Bool) {
            self.display = display
            self.panel = panel
            self.confined = confined
        }
    }

    /// Ends what fills native programs.
    public enum Stop: WireMethod {
        public static let name = "desktop.stop"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Shows the panel for the form in front, where the keyboard reaches it, because the user pressed the key for it.
    public enum Summon: WireMethod {
        public static let name = "desktop.summon"
        public typealias Params = Empty
        public typealias Answer = Empty
    }
}

/// An account that the user has bound to a native program.
public struct BindingStatement: Codable, Sendable, Equatable {
    /// A short name by which the user can take it back.
    public var id: String
    /// The program's executable, or `flatpak:` or `snap:` with the app's name.
    public var program: String
    /// The package that the executable came with, when it was bound.
    public var package: String?
    public var provider: String
    public var service: String
    public var user: String
    /// Seconds since 1970.
    public var date: Int64

    public init(
        id: String, program: String, package: String?, provider: String, service: String, user: String, date: Int64
    ) {
        self.id = id
        self.program = program
        self.package = package
        self.provider = provider
        self.service = service
        self.user = user
        self.date = date
    }
}

extension Apps {
    /// The accounts that the user has bound to native programs.
    public enum Bindings: WireMethod {
        public static let name = "apps.bindings"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var bindings: [BindingStatement]

            public init(bindings: [BindingStatement]) {
                self.bindings = bindings
            }
        }
    }

    /// Takes a binding back.
    public enum Unbind: WireMethod {
        public static let name = "apps.unbind"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String

            public init(id: String) {
                self.id = id
            }
        }
    }
}
