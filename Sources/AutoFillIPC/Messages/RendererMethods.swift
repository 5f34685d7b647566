// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import ShownText

/// Requests of a renderer, which draws suggestions, questions and interfaces (sections 5 and 6).
public enum Renderer {
    /// The state of Latchkey.
    public enum Status: WireMethod {
        public static let name = "renderer.status"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var initialized: Bool
            public var locked: Bool
            public var autoFill: Bool
            public var version: String
            /// What the registry lacks, if it is an older copy about which the user has not decided.
            public var older: OlderRegistry?

            public init(
                initialized: Bool, locked: Bool, autoFill: Bool, version: String, older: OlderRegistry? = nil
            ) {
                self.older = older
                self.initialized = initialized
                self.locked = locked
                self.autoFill = autoFill
                self.version = version
            }
        }
    }

    /// The preferences, for the settings page.
    public enum GetPreferences: WireMethod {
        public static let name = "renderer.preferences"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var preferences: Preferences
            /// What is odd in `preferences.json`, a sentence each; absent where nothing is.
            public var problems: [String]?
            /// Whether a login unlocks, in the words of `status`; absent from daemons that know of none.
            public var login: String?
            /// Whether a PIN is set for this session.
            public var pin: Bool?

            public init(
                preferences: Preferences, problems: [String]? = nil, login: String? = nil, pin: Bool? = nil
            ) {
                self.login = login
                self.pin = pin
                self.preferences = preferences
                self.problems = problems
            }
        }
    }

    /// Changes preferences. The daemon asks for the passphrase, in a window, where they protect less afterwards.
    public enum SetPreferences: WireMethod {
        public static let name = "renderer.setPreferences"
        public typealias Params = PreferenceChanges
        public typealias Answer = GetPreferences.Answer
    }

    /// Ends unlocking at login, as `login.disable` does.
    public enum DisableLogin: WireMethod {
        public static let name = "renderer.disableLogin"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Takes the PIN of this session away, as `pin.forget` does.
    public enum ForgetPIN: WireMethod {
        public static let name = "renderer.forgetPIN"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Waits for a finger that answers a question whose window is in front.
    public enum Fingerprint: WireMethod {
        public static let name = "renderer.fingerprint"
        public typealias Params = Prompt.Params

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// `matched`, `again`, `passphrase` (needed from now on), `stopped` or `unavailable`.
            public var outcome: String

            public init(outcome: String) {
                self.outcome = outcome
            }
        }
    }

    /// Stops waiting for a finger because the user left the window.
    public enum StopFingerprint: WireMethod {
        public static let name = "renderer.stopFingerprint"
        public typealias Params = Prompt.Params
        public typealias Answer = Empty
    }

    /// Locks, as `lock` does.
    public enum Lock: WireMethod {
        public static let name = "renderer.lock"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// The rows of the bar.
    public enum Suggestions: WireMethod {
        public static let name = "renderer.suggestions"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var session: String

            public init(session: String) {
                self.session = session
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// `ready`, `locked` or `uninitialized`.
            public var state: String
            public var site: String?
            public var suggestions: [Row]
            public var refusal: String?
            /// The saved host that this page's host resembles without being the same.
            public var lookalike: String?
            /// The offer of a new password, if the field takes one and a provider can generate it.
            public var strong: StrongOffer?
            /// `one-time-code` if the fields ask for a code; absent if they ask for a password.
            public var kind: String?
            /// The hosts of codes that are not offered here, because they are bound to these hosts.
            public var withheld: [String]?

            public init(
                state: String,
                site: String? = nil,
                suggestions: [Row],
                refusal: String? = nil,
                lookalike: String? = nil,
                strong: StrongOffer? = nil
            ) {
                self.strong = strong
                self.state = state
                self.site = site
                self.suggestions = suggestions
                self.refusal = refusal
                self.lookalike = lookalike
            }
        }
    }

    /// All passwords.
    public enum List: WireMethod {
        public static let name = "renderer.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var session: String
            public var search: String?
            public var cursor: Int?

            public init(session: String, search: String? = nil, cursor: Int? = nil) {
                self.session = session
                self.search = search
                self.cursor = cursor
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var rows: [Row]
            public var cursor: Int?
            /// The providers that have a list of their own to show.
            public var providers: [ProviderName]?

            public init(rows: [Row], cursor: Int? = nil, providers: [ProviderName]? = nil) {
                self.rows = rows
                self.cursor = cursor
                self.providers = providers
            }
        }
    }

    /// The user chose a row.
    public enum Choose: WireMethod {
        public static let name = "renderer.choose"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var handle: String
            /// `bar`, `popup` or `window`.
            public var surface: String
            public var `guard`: GuardReport?
            /// Whether to use a row that does not match; only outside of pages.
            public var anyway: Bool?
            /// Whether to show a generated password, outside of the page, before it is filled.
            public var show: Bool?
            /// Whether nothing may be asked: what would need a question ends as if the user had canceled it.
            public var unasked: Bool?
            /// The session's fields that the user may not be able to see; absent if none.
            public var unseen: [Int]?
            /// Those of which the browser does not say whether they are seen, and nothing was found to hide them; absent if none.
            public var unstated: [Int]?
            /// The origins, beside the document's own, to which the fields' forms and their buttons send them; absent if none.
            public var sends: [String]?

            public init(
                handle: String, surface: String, guard: GuardReport? = nil, anyway: Bool? = nil, show: Bool? = nil,
                unasked: Bool? = nil,
                unseen: [Int]? = nil, unstated: [Int]? = nil, sends: [String]? = nil
            ) {
                self.unseen = unseen
                self.unstated = unstated
                self.sends = sends
                self.unasked = unasked
                self.show = show
                self.handle = handle
                self.surface = surface
                self.`guard` = `guard`
                self.anyway = anyway
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var tab: Int
            public var frame: Int
            public var document: String
            public var fills: [Fill]
            /// A notice for the user that does not prevent the fill.
            public var notice: String?

            public init(tab: Int, frame: Int, document: String, fills: [Fill], notice: String? = nil) {
                self.notice = notice
                self.tab = tab
                self.frame = frame
                self.document = document
                self.fills = fills
            }
        }
    }

    /// A provider's own list for the page.
    public enum OpenList: WireMethod {
        public static let name = "renderer.openList"
        public typealias Answer = Choose.Answer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var session: String
            public var provider: String
            /// As for `renderer.choose`.
            public var unseen: [Int]?
            /// As for `renderer.choose`.
            public var unstated: [Int]?
            /// As for `renderer.choose`.
            public var sends: [String]?

            public init(
                session: String, provider: String, unseen: [Int]? = nil, unstated: [Int]? = nil,
                sends: [String]? = nil
            ) {
                self.unstated = unstated
                self.sends = sends
                self.session = session
                self.provider = provider
                self.unseen = unseen
            }
        }
    }

    /// Asks the user to unlock.
    public enum Unlock: WireMethod {
        public static let name = "renderer.unlock"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var session: String?
            /// Whether the one account that fits is to be filled afterwards. The question names the site then.
            public var fills: Bool?

            public init(session: String? = nil, fills: Bool? = nil) {
                self.session = session
                self.fills = fills
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// Whether a question that named the site has unlocked, so that what fits may be filled.
            public var fills: Bool?

            public init(fills: Bool? = nil) {
                self.fills = fills
            }
        }
    }

    /// The content of a prompt window.
    public enum Prompt: WireMethod {
        public static let name = "renderer.prompt"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String

            public init(prompt: String) {
                self.prompt = prompt
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// `unlock`, `authenticate`, `confirm`, `foreign`, `enable`, `upgrade`, `passwords`, `preferences`, `interface`, `generated`,
            /// `savePassword`, `updatePassword` or `unlockToSave`.
            public var kind: String
            public var requester: DisplayText
            public var site: DisplayText?
            public var user: DisplayText?
            public var provider: DisplayText?
            /// The message, which may have several lines.
            public var message: String?
            public var interface: InterfaceStatement?
            /// The place where the password was saved, if that is not `site`.
            public var savedFor: DisplayText?
            /// The page that contains the frame to be filled.
            public var top: DisplayText?
            /// The reasons for asking, one sentence each.
            public var reasons: [DisplayText]?
            /// Whether the user may also have the password offered at this place from now on.
            public var mayKeep: Bool?
            /// For `generated`: the password to be filled.
            public var password: WireSecret?
            /// For `savePassword`: the providers that can save it, with the default first.
            public var providers: [ProviderName]?
            /// The thing to be filled: `code`; absent for a password.
            public var thing: String?
            /// For `savePassword`: whether the user may correct the proposed `user`.
            public var mayRename: Bool?
            /// For `unlock`, `authenticate` and `passwords`: whether the PIN of this session does, too.
            public var takesPIN: Bool?
            /// For `authenticate` and `passwords`: whether a fingerprint is taken in place of the passphrase.
            public var takesFingerprint: Bool?
            /// Whether nobody has asked for the question, so that its window opens only when the user wants it.
            public var isQuiet: Bool?

            public init(
                kind: String,
                requester: DisplayText,
                site: DisplayText? = nil,
                user: DisplayText? = nil,
                provider: DisplayText? = nil,
                message: String? = nil,
                interface: InterfaceStatement? = nil,
                savedFor: DisplayText? = nil,
                top: DisplayText? = nil,
                reasons: [DisplayText]? = nil,
                mayKeep: Bool? = nil,
                password: WireSecret? = nil,
                providers: [ProviderName]? = nil,
                thing: String? = nil,
                mayRename: Bool? = nil,
                takesPIN: Bool? = nil,
                takesFingerprint: Bool? = nil,
                isQuiet: Bool? = nil
            ) {
                self.isQuiet = isQuiet
                self.takesFingerprint = takesFingerprint
                self.takesPIN = takesPIN
                self.mayRename = mayRename
                self.password = password
                self.providers = providers
                self.thing = thing
                self.savedFor = savedFor
                self.top = top
                self.reasons = reasons
                self.mayKeep = mayKeep
                self.interface = interface
                self.kind = kind
                self.requester = requester
                self.site = site
                self.user = user
                self.provider = provider
                self.message = message
            }
        }
    }

    /// The user's answer.
    public enum Answer: WireMethod {
        public static let name = "renderer.answer"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String
            public var accept: Bool
            public var passphrase: WireSecret?
            /// Whether the password is also offered at this place from now on.
            public var keep: Bool?
            /// When the user refuses saving: whether not to ask for this site again.
            public var never: Bool?
            /// The provider that is to save.
            public var provider: String?
            /// The corrected user name to save, if it may be corrected; empty for none.
            public var user: String?

            public init(
                prompt: String, accept: Bool, passphrase: WireSecret? = nil, keep: Bool? = nil, never: Bool? = nil,
                provider: String? = nil, user: String? = nil
            ) {
                self.never = never
                self.provider = provider
                self.user = user
                self.prompt = prompt
                self.accept = accept
                self.passphrase = passphrase
                self.keep = keep
            }
        }
    }

    /// An act of the user in an interface.
    public enum Act: WireMethod {
        public static let name = "renderer.act"
        public typealias Answer = Empty

        /// The parameters: `prompt`, and those of an `InterfaceAct`.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String
            public var act: InterfaceAct

            public init(prompt: String, act: InterfaceAct) {
                self.prompt = prompt
                self.act = act
            }

            private enum CodingKeys: CodingKey { case prompt }

            public init(from decoder: any Decoder) throws {
                prompt = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .prompt)
                act = try InterfaceAct(from: decoder)
            }

            public func encode(to encoder: any Encoder) throws {
                try act.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(prompt, forKey: .prompt)
            }
        }
    }

    /// The password that an element of the built-in provider's interface stands for.
    public enum Reveal: WireMethod {
        public static let name = "renderer.reveal"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var prompt: String
            public var element: String

            public init(prompt: String, element: String) {
                self.prompt = prompt
                self.element = element
            }
        }

        /// The result.
        public typealias Answer = Items.Reveal.Answer
    }
}
