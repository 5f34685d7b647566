// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease

/// When accounts were last used to sign in, so that among equals of one provider the one that was used last comes first.
///
/// It is read from the newest lines of the audit log after each unlock, while nothing waits for it, and follows what is filled from then on.
/// A lock removes it.
@DaemonActor final class LastUses: SessionObserver {
    /// When each account was last used, in seconds since 1970.
    struct Times: Sendable {
        fileprivate struct Account: Hashable {
            let provider: String
            let service: String
            let user: String
        }

        fileprivate var of: [Account: Int64] = [:]

        /// When an account was last used; a time before all others where nothing is known of a use.
        func time(of found: FoundIdentity) -> Int64 {
            of[Account(found.identity, of: found.provider)] ?? .min
        }
    }

    /// Number of lines of the audit log that are read.
    private nonisolated static let lines = 1_000

    private let broker: Broker
    private(set) var times = Times()
    private var reading: Task<Void, Never>?

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionOpened() async {
        guard let keys = broker.unlocked else { return }
        let (audit, seed, epoch) = (broker.audit, keys.auditSeed, broker.epoch)
        reading = Task {
            let lines = await Task.detached(priority: .utility) { audit.newest(Self.lines, seed: seed) }.value
            guard broker.isUnlocked, broker.epoch == epoch else { return }
            for line in lines where line.event == "released" && line.purpose == nil {
                guard let provider = line.provider, let service = line.service, let user = line.user else { continue }
                let account = Times.Account(provider: provider, service: service, user: user)
                times.of[account] = max(times.of[account] ?? .min, line.time)
            }
        }
    }

    func wasFilled(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, in tab: Int, at origin: VerifiedOrigin,
        for client: ClientConnection
    ) {
        times.of[Times.Account(identity, of: provider)] = broker.time.date()
    }

    func sessionEnded() {
        times = Times()
        reading?.cancel()
    }

    /// Waits for the reading to end, because it holds a copy of the key to the audit log.
    func sessionClosed(wasUnlocked: Bool) async {
        await reading?.value
        reading = nil
    }

    var isEmpty: Bool { times.of.isEmpty }

    /// Waits until the audit log was read.
    func whenRead() async {
        await reading?.value
    }
}

extension LastUses.Times.Account {
    fileprivate init(_ identity: CredentialIdentity, of provider: BundleIdentifier) {
        self.init(provider: provider.rawValue, service: identity.service.value, user: identity.user)
    }
}
