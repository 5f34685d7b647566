// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillSecrets

/// Seals, opens and blinds the rows of one provider's store.
struct IdentityKeys: Sendable {
    let provider: BundleIdentifier
    let seal: SealKey
    let index: BlindIndexKey

    /// How many bytes of a blind value are kept: that two words share them decides nothing, and there are many words.
    private static let blindSize = 8
    /// A row has a multiple of so many words: how many it has would tell how long the name of its site is.
    private static let wordBucket = 16

    /// The blind values under which an identity is found, and as many random ones as hide their number. The provider is part
    /// of the purpose, so that two files do not show that they hold the same site.
    func blinds(for identity: CredentialIdentity, _ terms: IndexTerms) -> [[UInt8]] {
        var blinds = Set(blinds(terms: terms.terms(for: identity.service)))
        var generator = SystemRandomNumberGenerator()
        while blinds.isEmpty || blinds.count % Self.wordBucket != 0 {
            blinds.insert((0..<Self.blindSize).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        return Array(blinds)
    }

    func blinds(terms: [String]) -> [[UInt8]] {
        Set(terms).map {
            Array(index.blind(Array($0.utf8), purpose: "identity term \(provider)").prefix(Self.blindSize))
        }
    }

    /// The blind value of what tells identities apart: saving one replaces the row that has the same.
    func blindKey(of identity: CredentialIdentity) -> [UInt8] {
        var record = RecordEncoder()
        Self.appendKey(identity, to: &record)
        return record.finish().withUnsafeBytes { index.blind(Array($0), purpose: "identity key \(provider)") }
    }

    func seal(_ identity: CredentialIdentity, row: Int64) -> [UInt8] {
        var record = RecordEncoder()
        Self.appendKey(identity, to: &record)
        record.append(Int64(identity.rank))
        record.append(Int64(identity.isStrict ? 1 : 0))
        record.append(Int64(identity.period ?? 0))
        record.append(identity.userHandle ?? "")
        return seal.seal(record.finish(), associated: place(row: row))
    }

    func open(_ sealed: [UInt8], row: Int64) throws -> CredentialIdentity {
        var record = try RecordDecoder(try seal.open(sealed, associated: place(row: row)))
        let type = CredentialType(rawValue: try record.readText())
        let kind = ServiceIdentifier.Kind(rawValue: Int(try record.readNumber()))
        let service = ServiceIdentifier(kind: kind, value: try record.readText())
        let user = try record.readText()
        let hasRecord = try record.readNumber(in: 0...1) == 1
        let recordIdentifier = try record.readText()
        let credentialID = try record.readText()
        let rank = Int(try record.readNumber())
        let isStrict = try record.readNumber(in: 0...1) == 1
        let period = Int(try record.readNumber(in: 0...3600))
        let userHandle = try record.readText()
        try record.finish()
        return CredentialIdentity(
            type: type,
            service: service,
            user: user,
            recordIdentifier: hasRecord ? recordIdentifier : nil,
            rank: rank,
            isStrict: isStrict,
            period: period == 0 ? nil : period,
            credentialID: credentialID.isEmpty ? nil : credentialID,
            userHandle: userHandle.isEmpty ? nil : userHandle
        )
    }

    func place(row: Int64) -> [UInt8] {
        Array("latchkey-identities/1 row \(provider) \(row)".utf8)
    }

    func place(meta name: String) -> [UInt8] {
        Array("latchkey-identities/1 meta \(provider) \(name)".utf8)
    }

    private static func appendKey(_ identity: CredentialIdentity, to record: inout RecordEncoder) {
        record.append(identity.type.rawValue)
        record.append(Int64(identity.service.kind.rawValue))
        record.append(identity.service.value)
        record.append(identity.user)
        record.append(Int64(identity.recordIdentifier == nil ? 0 : 1))
        record.append(identity.recordIdentifier ?? "")
        record.append(identity.credentialID ?? "")
    }
}
