// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillProviders

/// The abilities of enabled providers, besides providing credentials.
@DaemonActor final class ProviderAbilities {
    let broker: Broker
    /// The enabled third-party providers that save passwords, each with whether it also generates them.
    private(set) var savingProviders: [BundleIdentifier: Bool] = [:]
    /// The abilities that third-party providers state, in the words of `ProviderBundle.provides`.
    private var provided: [BundleIdentifier: [String]] = [:]
    /// The providers that can also generate passwords in an interface of their own.
    private(set) var showingMakers: Set<BundleIdentifier> = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// The enabled providers that save passwords, in the user's order.
    func savers() -> [BundleIdentifier] {
        (broker.unlocked?.order ?? []).filter { $0 == .builtIn || savingProviders[$0] != nil }
    }

    func noteSaving(_ bundle: ProviderBundle?, of provider: BundleIdentifier) {
        savingProviders[provider] = bundle.flatMap { $0.savesPasswords ? $0.generatesPasswords : nil }
        provided[provider] = bundle?.provides
        if bundle?.generatesWithInterface == true {
            showingMakers.insert(provider)
        } else {
            showingMakers.remove(provider)
        }
    }

    func generates(_ provider: BundleIdentifier) -> Bool {
        provider == .builtIn || savingProviders[provider] == true
    }

    /// Whether a third-party provider has a list of its own: of passwords, of codes, or, if `wantsCode` is `nil`, of either.
    func hasList(_ provider: BundleIdentifier, ofCodes wantsCode: Bool? = nil) -> Bool {
        let words = [false: "passwords", true: "one-time-codes"].filter { wantsCode == nil || $0.key == wantsCode }
        return words.values.contains { provided[provider]?.contains($0) == true }
    }
}
