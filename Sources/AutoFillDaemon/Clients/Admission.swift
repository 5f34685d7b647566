// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Synchronization

/// Admits connections, limits what each may take up, and limits the time until `hello`.
final class Admission: Sendable {
    /// The time limit for `hello`.
    static let helloLimit = Duration.seconds(10)
    /// The time limit for a message to arrive, from its first byte on.
    private static let arrivalLimit = Duration.seconds(10)

    private let quota: Mutex<ConnectionQuota>
    private let arenas: [ConnectionQuota.Kind: SecretArena]

    init(descriptors: Int = ConnectionQuota.descriptorLimit) {
        quota = Mutex(ConnectionQuota(descriptors: descriptors))
        arenas = Dictionary(
            uniqueKeysWithValues: ConnectionQuota.Kind.allCases.map { ($0, SecretArena(sixteenths: $0.sixteenths)) })
    }

    /// Lets a connection in, or tells it why not and ends it.
    func enter(
        _ stream: FramedStream, role: PeerRole, facts: PeerPolicy.Facts, isSandboxed: Bool = false
    ) -> ConnectionQuota.Place? {
        // Browsers share one host program; which browser it is counts.
        let program = role == .browser ? facts.parent : facts.executable
        let entered = quota.withLock {
            $0.enter(
                role, process: facts.process?.process ?? 0, program: program, isSandboxed: isSandboxed)
        }
        switch entered {
        case .success(let place):
            stream.terms = terms(for: role, isGreeted: false)
            return place
        case .failure(let refusal):
            Peer(stream: stream) { _, _ in .null }.end(refusal)
            return nil
        }
    }

    /// Counts a connection where it belongs, once its role is known better; `nil` when there is no place left.
    func move(_ place: ConnectionQuota.Place, to role: PeerRole) -> Result<ConnectionQuota.Place, WireError> {
        quota.withLock { $0.move(place, to: role) }
    }

    func leave(_ place: ConnectionQuota.Place) {
        quota.withLock { $0.leave(place) }
    }

    /// The limits for a connection's messages.
    func terms(for role: PeerRole, isGreeted: Bool) -> StreamTerms {
        let sizeLimit =
            switch role {
            case _ where !isGreeted: 16 << 10
            case .client, .none, .git, .login, .desktop: 64 << 10
            case .settings, .browser, .app: Frame.maximumSize
            }
        return StreamTerms(
            sizeLimit: sizeLimit, arrivalLimit: Self.arrivalLimit, arena: arenas[.init(role)] ?? .own)
    }

    /// Ends a connection that has not said hello in time.
    static func expectHello(_ client: ClientConnection, on peer: Peer, time: TimeSource) {
        let deadline = time.now() + helloLimit
        let watch = Task {
            try await time.wait(deadline)
            guard !client.isGreeted else { return }
            peer.end(WireError(.timedOut, "No hello came within \(helloLimit.components.seconds) seconds."))
        }
        peer.onClose { watch.cancel() }
    }
}
