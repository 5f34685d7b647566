// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Dispatch
import ProcessTesting
import ShownText
import Synchronization
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Large and busy stores, and those who have nothing to do with them.
@Suite(.timeLimit(.minutes(2))) struct BrokerStoresTests {
    private static let shiny = BundleIdentifier("com.example.shiny")
    private static let other = BundleIdentifier("com.example.other")

    /// Holds threads of one provider until it is opened.
    private final class Barrier: Sendable {
        private struct State {
            var isClosed = false
            var held: [DispatchSemaphore] = []
            var read = 0
            /// How many look-ups of other providers have begun and not ended.
            var reading = 0
        }

        let provider: BundleIdentifier
        private let state = Mutex(State())

        init(_ provider: BundleIdentifier) {
            self.provider = provider
        }

        /// How many threads it holds.
        var held: Int { state.withLock { $0.held.count } }

        /// How many look-ups of other providers have ended since it was closed.
        var read: Int { state.withLock { $0.read } }

        /// Whether no look-up of another provider goes on: one ends a moment after its rows have come.
        var isQuiet: Bool { state.withLock { $0.reading == 0 } }

        func close() {
            state.withLock { ($0.isClosed, $0.read) = (true, 0) }
        }

        func ended(_ provider: BundleIdentifier) {
            guard provider != self.provider else { return }
            state.withLock { state in
                state.read += 1
                state.reading -= 1
            }
        }

        func open() {
            state.withLock { state in
                state.isClosed = false
                for place in state.held { place.signal() }
                state.held = []
            }
        }

        func begins(_ provider: BundleIdentifier) {
            if provider != self.provider { state.withLock { $0.reading += 1 } }
            pass(provider)
        }

        func pass(_ provider: BundleIdentifier) {
            guard provider == self.provider else { return }
            let place = state.withLock { state -> DispatchSemaphore? in
                guard state.isClosed else { return nil }
                let place = DispatchSemaphore(value: 0)
                state.held.append(place)
                return place
            }
            place?.wait()
        }
    }

    private struct World {
        let daemon: FakeInstallation
        let barrier: Barrier
        let shiny: BundleIdentifier
        let other: BundleIdentifier

        var broker: Broker { daemon.broker }
        var capabilities: Capabilities { daemon.capabilities }

        func save(_ identities: [CredentialIdentity], of provider: BundleIdentifier) async throws {
            let params = try JSONValue(encoding: IdentitiesParams(identities: identities.map(IdentityStatement.init)))
            _ = try await capabilities.shared.stores.handleStore(Provider.SaveIdentities.name, params, of: provider)
        }

        func users(at host: String = "shiny.example.com") async throws -> Set<String> {
            Set(try await capabilities.pages.suggestions.suggestions(url: "https://" + host).map(\.user))
        }
    }

    /// Two providers of other people beside the built-in one.
    ///
    /// - Parameters:
    ///   - reading: Whether look-ups are held, instead of changes.
    ///   - rowsAtOnce: How many rows a look-up opens without a thread of its own, and so without being held.
    private func world(reading: Bool = false, rowsAtOnce: Int = 0) async throws -> World {
        let (shiny, other) = (try #require(Self.shiny), try #require(Self.other))
        let barrier = Barrier(shiny)
        var hooks = StoreWork.Hooks()
        if reading {
            hooks.beforeReading = { barrier.begins($0) }
            hooks.afterReading = { barrier.ended($0) }
            hooks.rowsAtOnce = rowsAtOnce
        } else {
            hooks.betweenSteps = { barrier.pass($0) }
        }
        let daemon = try await FakeInstallation(storeHooks: hooks)
        try await daemon.begin()
        for (identifier, user) in [(shiny, "shiny"), (other, "other")] {
            var bundle = FakeBundle(script: FakeBundle.script(user: user))
            bundle.identifier = identifier.rawValue
            try bundle.write(in: daemon.folder, at: "data/latchkey/extensions/\(user).appex")
            let found = try await daemon.capabilities.settings.providers.providers().providers.first {
                $0.identifier == identifier.rawValue
            }
            let fillings = daemon.notes.values("filled").count
            _ = try await daemon.capabilities.settings.providers.enable(
                .init(identifier: identifier.rawValue, digest: try #require(found?.digest)))
            await daemon.notes.wait(for: "filled", count: fillings + 1)
        }
        let world = World(daemon: daemon, barrier: barrier, shiny: shiny, other: other)
        // The built-in provider fills its store meanwhile; a store that is still empty is looked into without a thread.
        try await eventually { try await world.users() == ["rmondello", "shiny", "other"] }
        try await eventually { barrier.isQuiet }
        return world
    }

    private func crowd(_ count: Int) -> [CredentialIdentity] {
        (0..<count).map { number in
            var identity = CredentialIdentity.shiny
            identity.user = "crowd\(number)"
            identity.recordIdentifier = "crowd-\(number)"
            return identity
        }
    }

    @Test("S45: while a provider's long change rests, everybody's look-ups and another's change are answered")
    func aLongChangeHoldsUpNobody() async throws {
        let world = try await world()
        world.barrier.close()
        let long = Task { try await world.save(crowd(2_000), of: world.shiny) }
        try await eventually { world.barrier.held == 1 }
        // The provider's own rows are those from before the change.
        #expect(try await world.users() == ["rmondello", "shiny", "other"])
        var added = CredentialIdentity.shiny
        (added.user, added.recordIdentifier) = ("added", "added")
        try await world.save([added], of: world.other)
        #expect(try await world.users() == ["rmondello", "shiny", "other", "added"])
        #expect(try await world.capabilities.settings.providers.providers().providers.contains { $0.identities == 1 })
        world.barrier.open()
        try await long.value
        #expect(try await world.users().count > 1_000)
    }

    @Test("S45: a look-up that does not end in time is left out, and the others' rows come")
    func aSlowStoreIsLeftOut() async throws {
        let world = try await world(reading: true)
        world.barrier.close()
        let asked = Task { try await world.users() }
        try await eventually { world.barrier.held == 1 && world.barrier.read == 2 }
        world.daemon.pass(StoreWork.patience)
        #expect(try await asked.value == ["rmondello", "other"])
        world.barrier.open()
        #expect(try await world.users() == ["rmondello", "shiny", "other"])
    }

    @Test("S45: only a look-up with little to open does without a thread and a deadline")
    func whatIsShortNeedsNoThread() async throws {
        let world = try await world(reading: true, rowsAtOnce: 10)
        world.barrier.close()
        #expect(try await world.users() == ["rmondello", "shiny", "other"])
        #expect(world.barrier.held == 0)
        try await world.save(crowd(20), of: world.shiny)
        let asked = Task { try await world.users() }
        try await eventually { world.barrier.held == 1 }
        world.daemon.pass(StoreWork.patience)
        #expect(try await asked.value == ["rmondello", "other"])
        world.barrier.open()
    }

    @Test("S45: changes of one provider wait for one another, and too many are refused")
    func changesAreQueued() async throws {
        let world = try await world()
        world.barrier.close()
        let long = Task { try await world.save(crowd(1_000), of: world.shiny) }
        try await eventually { world.barrier.held == 1 }
        let refused = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<StoreWork.waitingLimit + 8 {
                group.addTask {
                    do {
                        try await world.save([crowd(2_000 + number)[1_999]], of: world.shiny)
                        return false
                    } catch {
                        return code(error) == .identityStore(2)
                    }
                }
            }
            var count = 0
            for await isRefused in group where isRefused {
                count += 1
                // The last one that is refused lets all of them go on.
                if count == 9 { world.barrier.open() }
            }
            return count
        }
        try await long.value
        #expect(refused == 9)
        #expect(try await world.users().count > 1_000)
    }

    @Test("S45: locking does not wait for the end of a long change, of which nothing is kept")
    func lockingGivesUp() async throws {
        let world = try await world()
        world.barrier.close()
        let long = Task { try await world.save(crowd(2_000), of: world.shiny) }
        try await eventually { world.barrier.held == 1 }
        let locking = Task { await world.broker.lock(reason: "a test") }
        try await eventually { await world.broker.unlocked == nil }
        world.barrier.open()
        await locking.value
        await #expect(throws: WireError.self) { try await long.value }
        try await world.broker.unlock(passphrase: world.daemon.passphrase)
        try await eventually { try await world.users().isSuperset(of: ["rmondello", "shiny"]) }
        #expect(try await !world.users().contains("crowd0"))
    }

    @Test("S45: a crowded site shows so many rows of a provider, and all of the others'")
    func crowdedSite() async throws {
        let world = try await world()
        try await world.save(crowd(1_500), of: world.shiny)
        let users = try await world.users()
        #expect(users.isSuperset(of: ["rmondello", "other"]) && users.count == 2 + 1_000)
    }
}
