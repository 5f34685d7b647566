// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What keeps something for as long as Latchkey is unlocked, or as long as a client is connected.
@DaemonActor protocol SessionObserver: AnyObject {
    /// Forgets all that must not outlive a lock. The keys are gone already.
    func sessionEnded()
    /// Forgets what it kept for a client.
    func clientLeft(_ client: ClientConnection)
    /// Other codes of messages are kept by now.
    func codesChanged()
}

extension SessionObserver {
    func sessionEnded() {}
    func clientLeft(_ client: ClientConnection) {}
    func codesChanged() {}
}

/// One that is told as long as it is there.
struct WeakObserver {
    weak var observer: (any SessionObserver)?
}
