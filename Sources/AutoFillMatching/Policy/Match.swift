// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials

/// What a credential was saved for, and how narrowly its owner wants that to be read.
public struct SavedService: Hashable, Sendable {
    public let service: ServiceIdentifier
    /// Whether the credential is for the exact host only: neither for others of its site nor for those that share accounts.
    public let isStrict: Bool

    public init(_ service: ServiceIdentifier, isStrict: Bool = false) {
        self.service = service
        self.isStrict = isStrict
    }
}

/// How a credential matches, or why it does not.
public enum MatchDecision: Hashable, Sendable {
    /// The very host it was saved for.
    case exact
    /// Another host of the same registrable domain.
    case sameSite
    /// A host of a site that shares its accounts with the one it was saved for.
    case shared
    /// An app that the site it was saved for has named as its own.
    case associated
    case refused(MatchRefusal)

    /// The word that stands in JSON; refusals are all `refused`.
    public var word: String {
        switch self {
        case .exact: "exact"
        case .sameSite: "sameSite"
        case .shared: "shared"
        case .associated: "associated"
        case .refused: "refused"
        }
    }
}

/// Why a credential is not offered.
public struct MatchRefusal: RawRepresentable, Hashable, Sendable, Error {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let unreadableService = MatchRefusal(rawValue: "the service it was saved for is not a web origin")
    public static let otherScheme = MatchRefusal(rawValue: "it was saved for another scheme")
    public static let otherHost = MatchRefusal(rawValue: "it was saved for another host")
    public static let otherPort = MatchRefusal(rawValue: "it was saved for another port")
    public static let strict = MatchRefusal(rawValue: "it is for the exact host only")
    public static let insecureAncestor = MatchRefusal(
        rawValue: "a document around the frame was not delivered securely")
    public static let notAssociated = MatchRefusal(rawValue: "the app is not associated with the site it was saved for")
}

/// What the user has to agree to outside the page, once for what the value says, before a credential may be released.
public enum Consent: Hashable, Sendable {
    /// That a site which shares accounts gets what was saved for another.
    case sharedService(savedFor: String)
    /// That a frame inside a page of another site gets it. What is agreed to is for this pair and this credential.
    case frame(top: Origin, frame: Origin)
    /// That it goes to a host of the local network without encryption.
    case insecureLocal(host: String)
}

/// A decision, what it depends on, and how it came about.
public struct Match: Hashable, Sendable {
    public let decision: MatchDecision
    /// Everything that the user has to agree to first; empty for a refusal, and where nobody needs to be asked.
    public let consent: [Consent]
    /// The host it was saved for, for labels: as `Origin.written` has it, or the text itself where that is unreadable.
    public let savedFor: String
    /// What `reasons` tells; kept as it is, because most decisions are never explained.
    let steps: [MatchStep]

    init(decision: MatchDecision, consent: [Consent] = [], savedFor: String, steps: [MatchStep]) {
        self.decision = decision
        self.consent = consent
        self.savedFor = savedFor
        self.steps = steps
    }

    /// The whole chain of reasoning, in order, for `explain`; the last one concludes.
    public var reasons: [String] { steps.map(\.description) }

    /// The conclusion, in one line.
    public var reason: String { steps.last?.description ?? "" }

    /// Whether it may be offered at all.
    public var isOffered: Bool { refusal == nil }

    /// Why it may not be offered.
    public var refusal: MatchRefusal? {
        if case .refused(let refusal) = decision { refusal } else { nil }
    }

    public var requiresConsent: Bool { !consent.isEmpty }

    /// Whether a row of it needs the name of what it was saved for: it is not the host that the user looks at.
    public var needsLabel: Bool { isOffered && decision != .exact }

    /// Where it stands among others that are offered: the exact host first.
    public var rank: Int {
        switch decision {
        case .exact: 0
        case .associated: 1
        case .sameSite: 2
        case .shared: 3
        case .refused: 4
        }
    }
}
