// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching

/// A type with state that lasts only while Latchkey is unlocked, or while a client is connected.
@DaemonActor protocol SessionObserver: AnyObject {
    /// Latchkey was unlocked.
    func sessionBegan()
    /// Does the slow part of the work after an unlock; the unlock waits for it.
    func sessionOpened() async
    /// Latchkey is about to be locked: the keys are still there.
    func sessionEnds()
    /// Forgets all that must not outlive a lock. The keys are gone already.
    func sessionEnded()
    /// Ends what still runs with keys of its own; the lock waits for it.
    func sessionClosed(wasUnlocked: Bool) async
    /// The user has set other preferences.
    func preferencesChanged(from old: Preferences) async
    /// The PIN that was set is gone.
    func pinForgotten()
    /// Removes the state kept for a client.
    func clientLeft(_ client: ClientConnection)
    /// Ends what still waits for a client that has left.
    func clientClosed(_ client: ClientConnection) async
    /// A tab was closed, or all of its documents are gone.
    func tabWasLeft(_ tab: Int, of client: ClientConnection)
    /// A credential was just given to a page.
    func wasFilled(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, in tab: Int, at origin: VerifiedOrigin,
        for client: ClientConnection)
    /// The set of received codes has changed.
    func codesChanged()
}

extension SessionObserver {
    func sessionBegan() {}
    func sessionOpened() async {}
    func sessionEnds() {}
    func sessionEnded() {}
    func sessionClosed(wasUnlocked: Bool) async {}
    func preferencesChanged(from old: Preferences) async {}
    func pinForgotten() {}
    func clientLeft(_ client: ClientConnection) {}
    func clientClosed(_ client: ClientConnection) async {}
    func codesChanged() {}
    func tabWasLeft(_ tab: Int, of client: ClientConnection) {}
    func wasFilled(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, in tab: Int, at origin: VerifiedOrigin,
        for client: ClientConnection
    ) {}
}

/// A weak reference to an observer.
struct WeakObserver {
    weak var observer: (any SessionObserver)?
}

extension UserQuestions: SessionObserver {
    func sessionEnded() {
        endAll()
    }

    func sessionClosed(wasUnlocked: Bool) async {
        await haveEnded()
    }

    func pinForgotten() {
        let desk = desk
        Task { await desk.forgetPIN() }
    }

    func clientClosed(_ client: ClientConnection) async {
        await forget(client)
    }
}
