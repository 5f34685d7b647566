// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials

/// Whether a credential saved for a service may be offered to a document.
public enum MatchDecision: Hashable, Sendable {
    /// Same scheme, host and port.
    case exact
    case refused(MatchRefusal)
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
}

/// The decision that keeps people safe from phishing, made here and nowhere else.
public enum MatchPolicy {
    /// Exact scheme, host and port, and nothing else.
    public static func decide(saved service: ServiceIdentifier, for origin: Origin) -> MatchDecision {
        guard service.kind == .domain || service.kind == .url, let saved = Origin(written: service.value)
        else { return .refused(.unreadableService) }
        if saved.host != origin.host { return .refused(.otherHost) }
        if saved.scheme != origin.scheme { return .refused(.otherScheme) }
        if saved.port != origin.port { return .refused(.otherPort) }
        return .exact
    }
}
