// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The identity of a source of one-time codes.
open class ASOneTimeCodeCredentialIdentity: NSObject, NSCopying, NSSecureCoding, ASCredentialIdentity {
    /// A name for people: the account, most often.
    open private(set) var label: String
    /// What the user signs in to.
    open private(set) var serviceIdentifier: ASCredentialServiceIdentifier
    /// The provider's own key for the source.
    open private(set) var recordIdentifier: String?
    /// A higher rank is suggested before a lower one.
    open var rank = 0
    /// Whether only the very host that it was saved for may have its codes. No member of Apple's; others send `strict`.
    package var isStrict = false
    /// For how many seconds each code is the current one. No member of Apple's; others send `period`.
    package var period: Int?

    /// An identity of rank 0.
    public init(serviceIdentifier: ASCredentialServiceIdentifier, label: String, recordIdentifier: String?) {
        self.serviceIdentifier = serviceIdentifier
        self.label = label
        self.recordIdentifier = recordIdentifier
        super.init()
    }

    /// The same as `label`: nothing else here says whom the codes belong to.
    open var user: String { label }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let service = coder.member(ASCredentialServiceIdentifier.self, "serviceIdentifier"),
            let label = coder.text("label")
        else { return nil }
        serviceIdentifier = service
        self.label = label
        recordIdentifier = coder.text("recordIdentifier")
        rank = coder.decodeInteger(forKey: "rank")
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.encode(serviceIdentifier, forKey: "serviceIdentifier")
        coder.write(label, "label")
        coder.write(recordIdentifier, "recordIdentifier")
        coder.encode(rank, forKey: "rank")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another identity with the same members.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: serviceIdentifier,
            label: label,
            recordIdentifier: recordIdentifier
        )
        copy.rank = rank
        copy.isStrict = isStrict
        copy.period = period
        return copy
    }
}
