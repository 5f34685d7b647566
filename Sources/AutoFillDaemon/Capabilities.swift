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

    init(_ broker: Broker) {
        self.broker = broker
        explanations = ExplainFeature(broker)
        appSaving = AppPasswordSaving(broker)
        webSignIn = WebSignInFeature(broker)
        apps = AppFilling(broker)
        git = GitFeature(broker)
        recommendations = RecommendationFeature(broker)
        broker.add(apps)
        broker.add(git)
        broker.add(recommendations)
    }
}
