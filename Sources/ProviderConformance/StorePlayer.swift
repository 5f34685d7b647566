// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// Plays the daemon's identity store for a provider under test, and checks its requests strictly.
package struct StorePlayer: Sendable {
    /// The behaviour of the store.
    package enum Mood: Sendable {
        case ready
        /// Answers as for a provider that is not enabled.
        case disabled
        /// Answers as while another process of the provider changes the store.
        case busy
    }

    package var mood = Mood.ready
    /// The saved identities, by the members that distinguish them.
    package private(set) var identities: [String: IdentityStatement] = [:]
    /// The faults found in requests.
    package private(set) var faults: [String] = []
    package private(set) var requests = 0
    private var batch: (number: Int, operation: String, identities: [IdentityStatement])?
    private var batches = 0

    /// Whether the store was filled. Only then incremental changes are allowed.
    private var isFilled = false

    package init(mood: Mood = .ready) {
        self.mood = mood
    }

    package mutating func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        requests += 1
        let before = faults.count
        do {
            return try carryOut(method, params)
        } catch let error as WireError where faults.count > before || error.code != .invalidParams {
            throw error
        } catch {
            faults.append("\(method) has parameters of the wrong shape")
            throw WireError(.invalidParams, "The parameters are not those of \(method).")
        }
    }

    private mutating func carryOut(_ method: String, _ params: JSONValue) throws -> JSONValue {
        if method == Provider.StoreState.name {
            return try JSONValue(
                encoding: Provider.StoreState.Answer(
                    enabled: mood != .disabled, supportsIncrementalUpdates: mood != .disabled && isFilled))
        }
        if mood == .disabled { throw WireError(.identityStore(1), "The provider is not enabled.") }
        if mood == .busy { throw WireError(.identityStore(2), "Another program changes the store.") }
        switch method {
        case Provider.SaveIdentities.name, Provider.RemoveIdentities.name, Provider.ReplaceIdentities.name:
            try apply(String(method.dropFirst(6)), try params.decoded(as: IdentitiesParams.self).identities)
        case Provider.RemoveAllIdentities.name: identities = [:]
        case Provider.BeginBatch.name:
            let operation = try params.decoded(as: Provider.BeginBatch.Params.self).operation
            guard ["save", "remove", "replace"].contains(operation) else {
                throw fault("store.begin has the operation \(operation)")
            }
            batches += 1
            batch = (batches, operation, [])
            return try JSONValue(encoding: Provider.BeginBatch.Answer(batch: batches))
        case Provider.AppendBatch.name:
            let params: Provider.AppendBatch.Params = try params.decoded()
            guard batch?.number == params.batch else { throw fault("store.append names a batch that is not open") }
            batch?.identities += params.identities
        case Provider.CommitBatch.name:
            let number = try params.decoded(as: Provider.CommitBatch.Params.self).batch
            guard let open = batch, open.number == number else {
                throw fault("store.commit names a batch that is not open")
            }
            batch = nil
            try apply(open.operation, open.identities)
        case Provider.ListIdentities.name:
            _ = try params.decoded(as: Provider.ListIdentities.Params.self)
            return try JSONValue(
                encoding: Provider.ListIdentities.Answer(identities: Array(identities.values.prefix(1000))))
        default: throw fault("there is no method \(method)", .methodNotFound)
        }
        return .object([:])
    }

    private mutating func fault(_ reason: String, _ code: WireError.Code = .invalidParams) -> WireError {
        faults.append(reason)
        return WireError(code, "Refused: \(reason).")
    }

    private mutating func apply(_ operation: String, _ changed: [IdentityStatement]) throws {
        for identity in changed {
            if let reason = Self.fault(of: identity) { throw fault("an identity of store.\(operation) \(reason)") }
        }
        if operation == "replace" { identities = [:] }
        for identity in changed {
            let service = identity.service
            let key = [
                identity.type, "\(service.type)", service.identifier, identity.user, identity.recordIdentifier ?? "",
                identity.credentialId ?? "",
            ].joined(separator: "\u{0}")
            identities[key] = operation == "remove" ? nil : identity
        }
        isFilled = true
    }

    /// The fault of an identity, or `nil` if it is valid.
    package static func fault(of identity: IdentityStatement) -> String? {
        if !["password", "passkey", "one-time-code"].contains(identity.type) { return "has no known type" }
        if !(0...2).contains(identity.service.type) { return "has a service of no known type" }
        if identity.service.identifier.isEmpty { return "has a service without a name" }
        if identity.service.type == 0, identity.service.identifier.contains("/") {
            return "has a domain that is not a domain"
        }
        if identity.service.type == 1, !identity.service.identifier.contains("://") { return "has a URL that is none" }
        return identity.sizeFault
    }
}
