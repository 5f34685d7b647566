// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
public import Foundation

/// What the user signs in to.
///
/// Sendable unchecked: Apple's is an open class; nothing of this one changes once it is made.
open class ASCredentialServiceIdentifier: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// How an identifier is to be read; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum IdentifierType: Int, Sendable {
        /// A domain name.
        case domain = 0
        /// A URL.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case URL = 1
        /// An app's identifier.
        case app = 2
    }

    /// The domain, the URL or the app's identifier.
    open private(set) var identifier: String
    /// How `identifier` is to be read.
    open private(set) var type: IdentifierType
    private let writtenName: String?

    /// An identifier without a name of its own.
    public init(identifier: String, type: IdentifierType) {
        self.identifier = identifier
        self.type = type
        writtenName = nil
        super.init()
    }

    /// An identifier with a name for people.
    public init(identifier: String, type: IdentifierType, displayName: String) {
        self.identifier = identifier
        self.type = type
        writtenName = displayName
        super.init()
    }

    /// An empty domain, which matches nothing.
    public convenience override init() {
        self.init(identifier: "", type: .domain)
    }

    /// For showing only: the domain, the URL's host (the identifier, where there is none), or the app's name.
    open var displayName: String? {
        switch type {
        case .domain: identifier
        case .URL: Foundation.URL(string: identifier)?.host ?? identifier
        case .app: writtenName
        }
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.text("identifier"), let type = coder.integer("type").flatMap(IdentifierType.init)
        else { return nil }
        self.identifier = identifier
        self.type = type
        writtenName = coder.text("displayName")
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.write(identifier, "identifier")
        coder.encode(type.rawValue, forKey: "type")
        coder.write(writtenName, "displayName")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension ASCredentialServiceIdentifier {
    /// A service off the wire; nothing for a kind that is not known here.
    convenience init?(_ service: ServiceIdentifier) {
        guard let type = IdentifierType(rawValue: service.kind.rawValue) else { return nil }
        self.init(identifier: service.value, type: type)
    }
}
