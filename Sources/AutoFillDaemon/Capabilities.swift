// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the daemon can do, put together: each capability is a class of its own with its own state.
@DaemonActor final class Capabilities {
    let broker: Broker
    let explanations: ExplainFeature
    let appSaving: AppPasswordSaving
    let webSignIn: WebSignInFeature
    let apps: AppFilling
    let git: GitFeature
    let recommendations: RecommendationFeature
    let knownApps: KnownApps
    let appRequests: AppRequests
    let changes: AccountChanges
    let conversions: AppleConversions
    let passwordChanges: PasswordChanges
    let upgrades: AccountUpgrades

    init(_ broker: Broker) {
        self.broker = broker
        knownApps = KnownApps(broker)
        appRequests = AppRequests(broker, knownApps: knownApps)
        changes = AccountChanges(broker)
        conversions = AppleConversions(broker, changes: changes)
        passwordChanges = PasswordChanges(broker, changes: changes)
        upgrades = AccountUpgrades(
            broker, appRequests: appRequests, changes: changes, passwordChanges: passwordChanges,
            conversions: conversions)
        explanations = ExplainFeature(broker)
        appSaving = AppPasswordSaving(broker, appRequests: appRequests)
        webSignIn = WebSignInFeature(broker, appRequests: appRequests)
        apps = AppFilling(broker, appRequests: appRequests, upgrades: upgrades)
        git = GitFeature(broker)
        recommendations = RecommendationFeature(broker, upgrades: upgrades)
        broker.add(knownApps)
        broker.add(upgrades)
        broker.add(apps)
        broker.add(git)
        broker.add(recommendations)
    }
}
