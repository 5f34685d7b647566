// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets

/// The settings methods of the fake daemon, beside items.
enum FakeSettings {
    static func answer(_ method: String, _ params: JSONValue, _ state: inout FakeDaemon.State) throws -> JSONValue {
        switch method {
        case Settings.Status.name: return try JSONValue(encoding: status(state))
        case Settings.Initialize.name:
            state.isInitialized = true
            return try JSONValue(encoding: Settings.RecoveryCodeAnswer(recoveryCode: code))
        case Settings.RenewRecoveryCode.name:
            try check(try params.decoded(as: PassphraseParams.self).passphrase)
            return try JSONValue(encoding: Settings.RecoveryCodeAnswer(recoveryCode: code))
        case Settings.RecoveryCodeShown.name: return .object([:])
        case Settings.Unlock.name, Settings.Authenticate.name:
            try check(try params.decoded(as: PassphraseParams.self).passphrase)
            state.isLocked = false
            state.wantsAuthentication = false
            return .object([:])
        case Settings.Lock.name:
            state.isLocked = true
            return .object([:])
        case Settings.ChangePassphrase.name:
            try check(try params.decoded(as: Settings.ChangePassphrase.Params.self).passphrase)
            return .object([:])
        case Settings.SetPIN.name:
            if state.wantsAuthentication { throw WireError(.authenticationRequired, "This takes your passphrase.") }
            state.hasPIN = true
            return .object([:])
        case Settings.EnableLogin.name, Settings.DisableLogin.name: return .object([:])
        case Settings.ForgetPIN.name:
            state.hasPIN = false
            return .object([:])
        case Consents.List.name: return try JSONValue(encoding: Consents.List.Answer(consents: state.consents))
        case Consents.Forget.name:
            let ids = try params.decoded(as: Consents.Forget.Params.self).ids
            let before = state.consents.count
            state.consents.removeAll { ids?.contains($0.id) ?? true }
            return try JSONValue(encoding: Consents.Forget.Answer(forgotten: before - state.consents.count))
        case Settings.Recover.name: return try JSONValue(encoding: Settings.RecoveryCodeAnswer(recoveryCode: code))
        case Settings.SetPreferences.name:
            let changes: PreferenceChanges = try params.decoded()
            if let value = changes.autoFill { state.preferences.autoFill = value }
            if let value = changes.authentication { state.preferences.authentication = value }
            if let value = changes.fills { state.preferences.fills = value }
            if let value = changes.idleMinutes { state.preferences.idleMinutes = value }
            if let value = changes.lockOnSuspend { state.preferences.lockOnSuspend = value }
            return try JSONValue(encoding: Settings.SetPreferences.Answer(preferences: state.preferences))
        case Settings.Suggestions.name:
            let suggestions = state.kept.map { kept in
                Suggestion(
                    provider: "org.latchkey.passwords", service: kept.item.services[0], user: kept.item.user,
                    recordIdentifier: kept.item.id, type: "password", rank: 0)
            }
            return try JSONValue(encoding: Settings.Suggestions.Answer(suggestions: suggestions))
        case Settings.Audit.name:
            return try JSONValue(encoding: Settings.Audit.Answer(lines: state.audit, intact: state.isIntact))
        case Settings.WriteBackup.name: return try JSONValue(encoding: Settings.WriteBackup.Answer(bytes: 4096))
        case Settings.RestoreBackup.name:
            let params: Settings.RestoreBackup.Params = try params.decoded()
            try check(params.passphrase)
            guard params.replace == true else {
                throw WireError(.alreadyExists, "Latchkey is already set up here.")
            }
            return try JSONValue(encoding: Settings.RestoreBackup.Answer(items: 3))
        default: throw WireError(.methodNotFound, "There is no method \(method).")
        }
    }

    private static let code = WireSecret(SecretBytes(utf8: FakeDaemon.recoveryCode))

    private static func check(_ passphrase: WireSecret) throws {
        guard passphrase.bytes == SecretBytes(utf8: FakeDaemon.passphrase) else {
            throw WireError(.wrongPassphrase, "Wrong passphrase.")
        }
    }

    private static func status(_ state: FakeDaemon.State) -> Settings.Status.Answer {
        .init(
            initialized: state.isInitialized,
            locked: state.isLocked,
            autoFill: state.preferences.autoFill,
            version: "0.1.0",
            processIdentifier: 4711,
            providers: [
                ProviderStatus(identifier: "org.latchkey.passwords", name: "Passwords", running: true, identities: 2)
            ],
            preferences: state.preferences,
            store: "ready",
            memoryLocked: true,
            isolation: state.isolation,
            pin: state.hasPIN,
            missingKeyring: state.missingKeyring
        )
    }
}
