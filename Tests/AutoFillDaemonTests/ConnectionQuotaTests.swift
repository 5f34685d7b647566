// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import Glibc
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct ConnectionQuotaTests {
    private let program = PeerProcess.Executable(path: "/usr/bin/env")
    private let another = PeerProcess.Executable(path: "/bin/sh")

    /// Lets in as many connections as there is room for, and says how many.
    private func fill(
        _ quota: inout ConnectionQuota, _ role: PeerRole, processes: some Sequence<Int32>,
        program: PeerProcess.Executable?
    ) -> Int {
        var count = 0
        for process in processes {
            for _ in 0..<100 {
                guard case .success(let place) = quota.enter(role, process: process, program: program) else { break }
                guard case .success = quota.move(place, to: role) else {
                    quota.leave(place)
                    break
                }
                count += 1
            }
        }
        return count
    }

    @Test("S52: one process has a part of its kind's share")
    func boundsAProcess() {
        var quota = ConnectionQuota(descriptors: 1024)
        #expect(fill(&quota, .settings, processes: [7], program: program) == 24)
        guard case .success = quota.enter(.settings, process: 8, program: program) else {
            Issue.record("another process was refused")
            return
        }
    }

    @Test("S52: one program has a part of its kind's share, however many processes run it")
    func boundsAProgram() {
        var quota = ConnectionQuota(descriptors: 1024)
        #expect(fill(&quota, .client, processes: 1...100, program: program) == 36)
        #expect(fill(&quota, .client, processes: 101...200, program: another) == 12)
    }

    @Test(
        "S52: no kind of peer keeps another kind out",
        arguments: [PeerRole.client, .none("unknown"), .settings, .browser])
    func keepsKindsApart(role: PeerRole) {
        var quota = ConnectionQuota(descriptors: 1024)
        for process in Int32(1)...200 {
            _ = fill(&quota, role, processes: [process], program: process.isMultiple(of: 2) ? program : another)
        }
        for other in [PeerRole.client, .settings, .browser, .git] where ConnectionQuota.Kind(other) != .init(role) {
            guard case .success = quota.enter(other, process: 999, program: program) else {
                Issue.record("\(role) kept \(other) out")
                continue
            }
        }
        guard case .success(let place) = quota.enter(.client, process: 999, program: nil) else {
            Issue.record("\(role) kept arrivals out")
            return
        }
        let app = PeerRole.app(.builtIn)
        guard case .success = quota.move(place, to: app) else {
            Issue.record("\(role) kept an app out")
            return
        }
    }

    @Test("S52: descriptors are kept in reserve", arguments: [20, 64, 256, 1024, 4096, 1 << 20])
    func keepsDescriptors(descriptors: Int) {
        let taken = ConnectionQuota(descriptors: descriptors).limit * ConnectionQuota.descriptorsEach
        if descriptors >= 64 { #expect(taken <= max(descriptors - ConnectionQuota.reserve, descriptors / 2)) }
        if descriptors >= 1024 { #expect(descriptors - taken >= ConnectionQuota.reserve) }
    }

    @Test func aPlaceIsFreeAgainWhenItIsLeft() throws {
        var quota = ConnectionQuota(descriptors: 1024)
        var places: [ConnectionQuota.Place] = []
        while case .success(let place) = quota.enter(.git, process: 1, program: program) { places.append(place) }
        #expect(places.count == 12)
        quota.leave(try #require(places.last))
        guard case .success = quota.enter(.git, process: 1, program: program) else {
            Issue.record("the place was not free")
            return
        }
        guard case .failure(let refusal) = quota.enter(.git, process: 1, program: program) else {
            Issue.record("one too many was let in")
            return
        }
        #expect(refusal.code == .busy)
        #expect(refusal.message == "This process already has 12 connections to Latchkey, the maximum.")
    }

    @Test func leavingTwiceGivesOnePlace() throws {
        var quota = ConnectionQuota(descriptors: 1024)
        guard case .success(let place) = quota.enter(.git, process: 1, program: program) else { return }
        quota.leave(place)
        quota.leave(place)
        #expect(fill(&quota, .git, processes: [1], program: program) == 12)
    }
}

@Suite struct AdmissionTests {
    /// A clock that stands at the deadline once the test says so.
    private func time(_ passed: AsyncStream<Void>) -> TimeSource {
        var time = TimeSource()
        time.wait = { _ in
            for await _ in passed { return }
            throw CancellationError()
        }
        return time
    }

    private func connection() -> (client: ClientConnection, near: Peer, far: Peer) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        let client = ClientConnection(number: 1, role: .client, program: "/usr/bin/env")
        let near = Peer(stream: FramedStream(socket: ends[0])) { _, params in params }
        let far = Peer(stream: FramedStream(socket: ends[1])) { _, _ in .null }
        client.attach(near)
        near.start()
        far.start()
        return (client, near, far)
    }

    @Test("S52: a connection without hello ends when its time is up")
    func endsWhatIsSilent() async throws {
        let (client, near, far) = connection()
        let (passed, clock) = AsyncStream.makeStream(of: Void.self)
        Admission.expectHello(client, on: near, time: time(passed))
        #expect(!near.isClosed)
        clock.yield()
        for peer in [near, far] {
            await withCheckedContinuation { continuation in peer.onClose { continuation.resume() } }
        }
        await #expect(throws: WireError(.timedOut, "No hello came within 10 seconds.")) {
            _ = try await far.call("anything")
        }
    }

    @Test("S52: a connection that has said hello may be silent")
    func leavesWhatWasGreeted() async throws {
        let (client, near, far) = connection()
        let (passed, clock) = AsyncStream.makeStream(of: Void.self)
        client.setGreeted()
        Admission.expectHello(client, on: near, time: time(passed))
        clock.yield()
        clock.finish()
        for _ in 0..<20 { #expect(try await far.call("anything") == .object([:])) }
        near.close()
    }

    @Test("S52: nobody may say much before hello, and an unknown program never may")
    func boundsMessages() {
        let admission = Admission(descriptors: 1024)
        for role in [PeerRole.settings, .browser, .git, .app(.builtIn), .client, .none("unknown")] {
            #expect(admission.terms(for: role, isGreeted: false).sizeLimit == 16_384)
            #expect(admission.terms(for: role, isGreeted: false).arrivalLimit != nil)
            #expect(admission.terms(for: role, isGreeted: true).arrivalLimit != nil)
        }
        #expect(admission.terms(for: .client, isGreeted: true).sizeLimit == 65_536)
        #expect(admission.terms(for: .settings, isGreeted: true).sizeLimit == Frame.maximumSize)
    }
}
