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
    /// What third-party providers state and the user has agreed to.
    private var agreed: [BundleIdentifier: Set<ProviderCapability>] = [:]
    /// The providers that can also generate passwords in an interface of their own.
    private(set) var showingMakers: Set<BundleIdentifier> = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// The enabled providers that save passwords, in the user's order.
    func savers() -> [BundleIdentifier] {
        (broker.unlocked?.order ?? []).filter { $0 == .builtIn || savingProviders[$0] != nil }
    }

    /// Notes what a provider may be used for: what its bundle states, as far as the user has agreed to it.
    func note(_ bundle: ProviderBundle?, of provider: BundleIdentifier, agreed: Set<ProviderCapability>) {
        let usable = agreed.intersection(bundle?.capabilities ?? [])
        self.agreed[provider] = usable
        savingProviders[provider] = usable.contains(.saving) ? usable.contains(.generating) : nil
        if bundle?.generatesWithInterface == true, usable.contains(.generating) {
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
        let wanted: Set<ProviderCapability> =
            wantsCode.map { $0 ? [.oneTimeCodes] : [.passwords] } ?? [.passwords, .oneTimeCodes]
        return agreed[provider]?.isDisjoint(with: wanted) == false
    }
}
