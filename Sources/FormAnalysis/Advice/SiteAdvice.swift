// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of the files by which a site speaks to password managers.
public struct SiteFacts: Sendable, Hashable, Codable {
    /// What came back for one of them.
    public enum File: Sendable, Hashable {
        /// Nobody asked: the page came from a file.
        case unasked
        case absent
        /// It is there, and something is wrong with it: a clause that ends the sentence "It is there, but …".
        case faulty(String)
        case present
        /// The site could not be asked for it: a clause that says why.
        case unknown(String)
    }

    /// `/.well-known/change-password`, which leads to the page where a password is changed.
    public var changePassword: File
    /// `/.well-known/apple-app-site-association` with `webcredentials`.
    public var association: File
    /// `/.well-known/assetlinks.json` with `delegate_permission/common.get_login_creds`.
    public var assetLinks: File

    /// States what came back; whatever is left out was not asked for.
    public init(changePassword: File = .unasked, association: File = .unasked, assetLinks: File = .unasked) {
        self.changePassword = changePassword
        self.association = association
        self.assetLinks = assetLinks
    }

    /// What the site could add.
    public var advice: [Advice] {
        [
            Self.advice(
                changePassword, rule: "change-password-url", path: "/.well-known/change-password",
                use: "a password manager cannot lead people to where they change a password",
                fix: "redirect /.well-known/change-password (302) to the page that changes the password"),
            Self.advice(
                association, rule: "association-file", path: "/.well-known/apple-app-site-association",
                use: "your app cannot use passwords saved for this site",
                fix:
                    "{\"webcredentials\":{\"apps\":[\"TEAMID.com.example.app\"]}} as application/json, without redirects"
            ),
            Self.advice(
                assetLinks, rule: "asset-links", path: "/.well-known/assetlinks.json",
                use: "your Android app cannot use passwords saved for this site",
                fix: "[{\"relation\":[\"delegate_permission/common.get_login_creds\"],\"target\":{…}}]"),
        ].compactMap(\.self)
    }

    private static func advice(_ file: File, rule: String, path: String, use: String, fix: String) -> Advice? {
        switch file {
        case .unasked, .present: nil
        case .absent:
            Advice(rule: rule, severity: .note, problem: "There is no \(path), so that \(use).", fix: fix)
        case .unknown(let reason):
            Advice(
                rule: rule, severity: .note, problem: "\(path) could not be asked for: \(reason).",
                fix: "ask again; if it stays so, check that the site answers this path like its other paths")
        case .faulty(let reason):
            Advice(rule: rule, severity: .warning, problem: "\(path) is there, but \(reason).", fix: fix)
        }
    }
}

/// One text: a word, and where there is a reason, a colon and the reason.
extension SiteFacts.File: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let word = text.prefix { $0 != ":" }
        let reason = String(text.dropFirst(word.count + 2))
        switch word {
        case "unasked": self = .unasked
        case "absent": self = .absent
        case "present": self = .present
        case "faulty": self = .faulty(reason)
        case "unknown": self = .unknown(reason)
        default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "no such state of a file")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .unasked: try container.encode("unasked")
        case .absent: try container.encode("absent")
        case .present: try container.encode("present")
        case .faulty(let reason): try container.encode("faulty: " + reason)
        case .unknown(let reason): try container.encode("unknown: " + reason)
        }
    }
}
