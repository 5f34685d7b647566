// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A credential of any kind, as it is exchanged between providers.
///
/// Its coded form is CXF's: the members of the kind, beside a `type` that names it. A kind that is not known here is an
/// error of the decoder.
@nonexhaustive(warn)
public enum ASImportableCredential: Codable, Hashable, Sendable {
    /// A postal address.
    case address(ASImportableCredential.Address)
    /// A key for a programming interface.
    case apiKey(ASImportableCredential.APIKey)
    /// A user name and a password.
    case basicAuthentication(ASImportableCredential.BasicAuthentication)
    /// A card to pay with.
    case creditCard(ASImportableCredential.CreditCard)
    /// Fields of the user's own.
    case customFields(ASImportableCredential.CustomFields)
    /// A licence to drive.
    case driversLicense(ASImportableCredential.DriversLicense)
    /// A password that is not yet used.
    case generatedPassword(ASImportableCredential.GeneratedPassword)
    /// A card or paper that says who somebody is.
    case identityDocument(ASImportableCredential.IdentityDocument)
    /// Another item that belongs to this one.
    case itemReference(ASImportableCredential.ItemReference)
    /// Free text.
    case note(ASImportableCredential.Note)
    /// A passkey.
    case passkey(ASImportableCredential.Passkey)
    /// A passport.
    case passport(ASImportableCredential.Passport)
    /// A person's name.
    case personName(ASImportableCredential.PersonName)
    /// A key for SSH.
    case sshKey(ASImportableCredential.SSHKey)
    /// What one-time codes are made from.
    case totp(ASImportableCredential.TOTP)
    /// A wireless network.
    case wifi(ASImportableCredential.WiFi)

    private enum Kind: String, Codable {
        case address
        case apiKey = "api-key"
        case basicAuthentication = "basic-auth"
        case creditCard = "credit-card"
        case customFields = "custom-fields"
        case driversLicense = "drivers-license"
        case generatedPassword = "generated-password"
        case identityDocument = "identity-document"
        case itemReference = "item-reference"
        case note
        case passkey
        case passport
        case personName = "person-name"
        case sshKey = "ssh-key"
        case totp
        case wifi
    }

    private enum CodingKeys: CodingKey {
        case type
    }

    /// Reads a credential of a known kind.
    public init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .type) {
        case .address: self = .address(try Address(from: decoder))
        case .apiKey: self = .apiKey(try APIKey(from: decoder))
        case .basicAuthentication: self = .basicAuthentication(try BasicAuthentication(from: decoder))
        case .creditCard: self = .creditCard(try CreditCard(from: decoder))
        case .customFields: self = .customFields(try CustomFields(from: decoder))
        case .driversLicense: self = .driversLicense(try DriversLicense(from: decoder))
        case .generatedPassword: self = .generatedPassword(try GeneratedPassword(from: decoder))
        case .identityDocument: self = .identityDocument(try IdentityDocument(from: decoder))
        case .itemReference: self = .itemReference(try ItemReference(from: decoder))
        case .note: self = .note(try Note(from: decoder))
        case .passkey: self = .passkey(try Passkey(from: decoder))
        case .passport: self = .passport(try Passport(from: decoder))
        case .personName: self = .personName(try PersonName(from: decoder))
        case .sshKey: self = .sshKey(try SSHKey(from: decoder))
        case .totp: self = .totp(try TOTP(from: decoder))
        case .wifi: self = .wifi(try WiFi(from: decoder))
        }
    }

    /// Writes the kind's name and its members side by side.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .type)
        switch self {
        case .address(let value): try value.encode(to: encoder)
        case .apiKey(let value): try value.encode(to: encoder)
        case .basicAuthentication(let value): try value.encode(to: encoder)
        case .creditCard(let value): try value.encode(to: encoder)
        case .customFields(let value): try value.encode(to: encoder)
        case .driversLicense(let value): try value.encode(to: encoder)
        case .generatedPassword(let value): try value.encode(to: encoder)
        case .identityDocument(let value): try value.encode(to: encoder)
        case .itemReference(let value): try value.encode(to: encoder)
        case .note(let value): try value.encode(to: encoder)
        case .passkey(let value): try value.encode(to: encoder)
        case .passport(let value): try value.encode(to: encoder)
        case .personName(let value): try value.encode(to: encoder)
        case .sshKey(let value): try value.encode(to: encoder)
        case .totp(let value): try value.encode(to: encoder)
        case .wifi(let value): try value.encode(to: encoder)
        }
    }

    private var kind: Kind {
        switch self {
        case .address: .address
        case .apiKey: .apiKey
        case .basicAuthentication: .basicAuthentication
        case .creditCard: .creditCard
        case .customFields: .customFields
        case .driversLicense: .driversLicense
        case .generatedPassword: .generatedPassword
        case .identityDocument: .identityDocument
        case .itemReference: .itemReference
        case .note: .note
        case .passkey: .passkey
        case .passport: .passport
        case .personName: .personName
        case .sshKey: .sshKey
        case .totp: .totp
        case .wifi: .wifi
        }
    }
}
