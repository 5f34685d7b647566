// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials

/// A service identifier; `type` is 0 (domain), 1 (URL) or 2 (app).
public struct ServiceStatement: Codable, Sendable, Equatable {
    public var type: Int
    public var identifier: String

    public init(type: Int, identifier: String) {
        self.type = type
        self.identifier = identifier
    }
}

/// A credential identity.
public struct IdentityStatement: Codable, Sendable, Equatable {
    public var type: String
    public var service: ServiceStatement
    public var user: String
    public var recordIdentifier: String?
    public var rank: Int
    /// Whether it is for exactly the host it was saved for; absent means `false`.
    public var strict: Bool?
    /// For a one-time code: the number of seconds for which each code is current; absent if unknown.
    public var period: Int?
    /// For a passkey: its identifier, in base64.
    public var credentialId: String?
    /// For a passkey: the relying party's own name for the user, in base64.
    public var userHandle: String?

    public init(
        type: String,
        service: ServiceStatement,
        user: String,
        recordIdentifier: String? = nil,
        rank: Int,
        strict: Bool? = nil,
        period: Int? = nil,
        credentialId: String? = nil,
        userHandle: String? = nil
    ) {
        self.period = period
        self.credentialId = credentialId
        self.userHandle = userHandle
        self.type = type
        self.service = service
        self.user = user
        self.recordIdentifier = recordIdentifier
        self.rank = rank
        self.strict = strict
    }
}

/// The recipient of a requested credential, as verified by the daemon. A provider may refuse because of it.
public struct RequestContext: Codable, Sendable, Equatable {
    /// The origin of the document to fill; absent for an app.
    public var origin: String?
    /// The origins of the documents around it, from the nearest to the top one; absent if there are none.
    public var ancestors: [String]?
    /// Whether all of these documents are secure contexts.
    public var secureContext: Bool?
    /// The identifier of the app to fill; absent for a document.
    public var app: String?

    public init(
        origin: String? = nil,
        ancestors: [String]? = nil,
        secureContext: Bool? = nil,
        app: String? = nil
    ) {
        self.origin = origin
        self.ancestors = ancestors
        self.secureContext = secureContext
        self.app = app
    }
}

/// The identities of a batch.
public struct IdentitiesParams: Codable, Sendable, Equatable {
    public var identities: [IdentityStatement]

    public init(identities: [IdentityStatement]) {
        self.identities = identities
    }
}

/// A credential. By `type` it is a password with its user, a one-time code, or a text to insert.
public struct CredentialStatement: Codable, Sendable, Equatable {
    public var type: String
    public var user: String?
    public var password: WireSecret?
    public var code: WireSecret?
    public var text: WireSecret?

    public init(
        type: String,
        user: String? = nil,
        password: WireSecret? = nil,
        code: WireSecret? = nil,
        text: WireSecret? = nil
    ) {
        self.type = type
        self.user = user
        self.password = password
        self.code = code
        self.text = text
    }
}

/// A credential.
public struct CredentialAnswer: Codable, Sendable, Equatable {
    public var credential: CredentialStatement

    public init(credential: CredentialStatement) {
        self.credential = credential
    }
}

/// A section of a provider's list.
public struct ListSection: Codable, Sendable, Equatable {
    public var title: String
    public var rows: [ListRow]

    public init(title: String, rows: [ListRow]) {
        self.title = title
        self.rows = rows
    }
}

/// A row of a provider's list.
public struct ListRow: Codable, Sendable, Equatable {
    public var id: String
    public var title: String
    public var subtitle: String

    public init(id: String, title: String, subtitle: String) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
    }
}

/// An app group: a folder and a key that the programs of one provider share.
public struct GroupStatement: Codable, Sendable, Equatable {
    public var identifier: String
    public var folder: String
    public var key: WireSecret

    public init(identifier: String, folder: String, key: WireSecret) {
        self.identifier = identifier
        self.folder = folder
        self.key = key
    }
}

extension IdentityStatement {
    public init(_ identity: CredentialIdentity) {
        self.init(
            type: identity.type.rawValue, service: ServiceStatement(identity.service), user: identity.user,
            recordIdentifier: identity.recordIdentifier, rank: identity.rank,
            strict: identity.isStrict ? true : nil, period: identity.period,
            credentialId: identity.credentialID, userHandle: identity.userHandle)
    }

    public var identity: CredentialIdentity {
        CredentialIdentity(
            type: CredentialType(rawValue: type), service: service.service, user: user,
            recordIdentifier: recordIdentifier, rank: rank, isStrict: strict ?? false, period: period,
            credentialID: credentialId, userHandle: userHandle)
    }

    /// What makes the identity larger than the store takes; `nil` if nothing does.
    public var sizeFault: String? {
        let texts: [(name: String, text: String?, limit: Int)] = [
            ("service", service.identifier, 2_048), ("user", user, 1_024),
            ("record identifier", recordIdentifier, 1_024),
            ("type", type, 64), ("credential identifier", credentialId, 1_364), ("user handle", userHandle, 88),
        ]
        if let long = texts.first(where: { ($0.text?.utf8.count ?? 0) > $0.limit }) {
            return "has a \(long.name) of more than \(long.limit) bytes"
        }
        guard period.map({ (1...3_600).contains($0) }) ?? true else {
            return "has a code that holds for no 1 to 3600 seconds"
        }
        return nil
    }
}

extension ServiceStatement {
    public init(_ service: ServiceIdentifier) {
        self.init(type: service.kind.rawValue, identifier: service.value)
    }

    public var service: ServiceIdentifier {
        ServiceIdentifier(kind: .init(rawValue: type), value: identifier)
    }
}
