// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import AutoFillDaemon

/// One after another: each has a bus of its own, which is four processes.
@Suite(.tags(.startsProcess), .serialized, .timeLimit(.minutes(2)))
struct SessionWatchTests {
    private let recorder = Recorder()
    private let bus: PrivateBus
    private let address: String

    init() throws {
        bus = try PrivateBus()
        address = try bus.start()
    }

    /// A watch of logind that is ready: the lock against suspension is the last thing it asks for.
    private func watchLogind() async throws -> SessionWatch {
        let watch = recorder.watch(system: address)
        try await eventually("logind is watched") { recorder.lines.contains("debug: the session is watched: system") }
        #expect(try bus.inhibitors() == 1)
        return watch
    }

    /// Proves that all that was sent before has been looked at, because signals of one sender come in order.
    private func expectOnly(_ events: [SessionEvent]) async throws {
        try bus.tell("sleep", true)
        try await eventually("the last signal is heard") { recorder.events.last == .suspending }
        #expect(recorder.events == events + [.suspending])
    }

    @Test func tellsOfTheUsersLock() async throws {
        try bus.tell("start_logind")
        try bus.tell("add_session", "c1", 1000)
        let watch = try await watchLogind()
        defer { watch.stop() }
        try bus.tell("hint", "c1", true)
        try await eventually("the hint is heard") { recorder.events == [.screenLocked] }
        try bus.tell("hint", "c1", false)
        try bus.tell("lock", "c1")
        try await expectOnly([.screenLocked, .screenLocked])
    }

    @Test func loginsAreTheUsersOwnSessionsThatAreNotJustEnding() async throws {
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": address]
        #expect(await UserLogins.now(environment: environment, user: 1000) == nil, "there is no logind")
        try bus.tell("start_logind")
        #expect(await UserLogins.now(environment: environment, user: 1000) == [])
        for (name, user) in [("c1", 1000), ("c2", 1000), ("c3", 1000), ("c4", 1001)] {
            try bus.tell("add_session", name, user)
        }
        let all = try #require(await UserLogins.now(environment: environment, user: 1000))
        #expect(all.count == 3)
        try bus.tell("state", "c1", "State", "closing")
        try bus.tell("state", "c2", "Class", "manager")
        let left = try #require(await UserLogins.now(environment: environment, user: 1000))
        #expect(left.count == 1 && left.isSubset(of: all))
        try bus.tell("state", "c3", "Class", "user-early")
        #expect(await UserLogins.now(environment: environment, user: 1000) == left)
        try bus.tell("state", "c3", "State", "closing")
        #expect(await UserLogins.now(environment: environment, user: 1000) == [])
        #expect(await UserLogins.now(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"]) == nil)
    }

    @Test func ignoresOtherUsersSessions() async throws {
        try bus.tell("start_logind")
        try bus.tell("add_session", "c1", 1001)
        try bus.tell("add_session", "c2", 0)
        let watch = try await watchLogind()
        defer { watch.stop() }
        for name in ["c1", "c2"] {
            try bus.tell("hint", name, true)
            try bus.tell("lock", name)
        }
        try await expectOnly([])
    }

    @Test func followsSessionsThatComeAndGo() async throws {
        try bus.tell("start_logind")
        let watch = try await watchLogind()
        defer { watch.stop() }
        try bus.tell("add_session", "c7", 1000)
        try bus.tell("lock", "c7")
        try await eventually("the new session is heard") { recorder.events == [.screenLocked] }
        try bus.tell("remove_session", "c7")
        try bus.tell("lock", "c7")
        try await expectOnly([.screenLocked, .sessionEnded])
    }

    @Test func tellsOfASessionThatWasLockedBefore() async throws {
        try bus.tell("start_logind")
        try bus.tell("add_session", "c1", 1000)
        try bus.tell("add_session", "c2", 1001)
        try bus.tell("hint", "c1", true)
        try bus.tell("hint", "c2", true)
        let watch = try await watchLogind()
        defer { watch.stop() }
        try await expectOnly([.screenLocked])
    }

    @Test func holdsSuspensionUntilTheHandlerHasFinished() async throws {
        try bus.tell("start_logind")
        let watch = try await watchLogind()
        defer { watch.stop() }
        recorder.holdUp(true)
        try bus.tell("sleep", true)
        try await eventually("the suspension is heard") { recorder.events == [.suspending] }
        // logind is asked again and again, which gives a watch that does not wait the time to let go.
        for _ in 0..<20 { #expect(try bus.inhibitors() == 1) }
        recorder.holdUp(false)
        try await eventually("the suspension may go on") { try bus.inhibitors() == 0 }
        try bus.tell("sleep", false)
        try await eventually("the next one will wait again") { try bus.inhibitors() == 1 }
        #expect(recorder.events == [.suspending])
    }

    @Test func lockOfSuspensionClosesOnExec() throws {
        try bus.tell("start_logind")
        let connection = try BusConnection.open(address: address)
        let inhibitor = try connection.inhibitSleep()
        #expect(fcntl(inhibitor.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try bus.inhibitors() == 1)
    }

    @Test func ignoresWhatStrangersSend() async throws {
        try bus.tell("start_logind")
        try bus.tell("add_session", "c1", 1000)
        let watch = try await watchLogind()
        defer { watch.stop() }
        let path = "/org/freedesktop/login1/session/c1"
        let login = "org.freedesktop.login1"
        let owner = ["org.freedesktop.login1", "", ":1.9999"]
        // Addressed to the watch itself, so that the bus passes them on whatever the rules say.
        try bus.tell(
            "send",
            "x",
            "",
            "/org/freedesktop/login1",
            login + ".Manager",
            "PrepareForSleep",
            "b",
            [true],
            true
        )
        try bus.tell("send", "x", "", path, login + ".Session", "Lock", "", [Any](), true)
        try bus.tell(
            "send",
            "x",
            "",
            path,
            "org.freedesktop.DBus.Properties",
            "PropertiesChanged",
            "sa{sv}as",
            [login + ".Session", ["LockedHint": true], [Any]()] as [Any],
            true
        )
        try bus.tell(
            "send",
            "x",
            "",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameOwnerChanged",
            "sss",
            owner,
            true
        )
        try await expectOnly([])
    }

    @Test func survivesOddSignals() async throws {
        try bus.tell("start_logind")
        try bus.tell("add_session", "c1", 1000)
        let watch = try await watchLogind()
        defer { watch.stop() }
        let properties = "org.freedesktop.DBus.Properties"
        let session = "org.freedesktop.login1.Session"
        try bus.emit("PrepareForSleep", "s", ["true"])
        try bus.emit("PrepareForSleep", "", [])
        try bus.emit("PrepareForSleep", "bb", [true, true])
        try bus.emit("PrepareForSleep", "as", [["true"]])
        try bus.emit("SessionNew", "s", ["c1"])
        try bus.emit("SessionRemoved", "b", [true])
        try bus.emit("Unheard", "a(ss)", [[["a", "b"]]])
        try bus.emit("Lock", "s", ["c1"], interface: "Session", path: "/session/c1")
        for changes in [["LockedHint": "true"], ["LockedHint": 1], [:], ["Name": "x", "Active": true]]
            as [[String: Any]]
        {
            try bus.emit(
                "PropertiesChanged",
                "sa{sv}as",
                [session, changes, [Any]()],
                interface: properties,
                path: "/session/c1"
            )
        }
        try bus.emit("PropertiesChanged", "sas", [session, ["LockedHint"]], interface: properties, path: "/session/c1")
        try bus.emit(
            "PropertiesChanged",
            "sa{sv}as",
            [session, ["Name": "x", "LockedHint": true], [Any]()],
            interface: properties,
            path: "/session/c1"
        )
        try await expectOnly([.screenLocked])
    }

    @Test(arguments: ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"])
    func tellsOfTheScreenSaver(service: String) async throws {
        // Services may come after the watch.
        let watch = recorder.watch(session: address)
        defer { watch.stop() }
        try await eventually("there is none") { recorder.lines.contains("info: the session is not watched: session") }
        let other = service == "org.gnome.ScreenSaver" ? "org.freedesktop.ScreenSaver" : "org.gnome.ScreenSaver"
        try bus.tell("send", "saver", service, "/", service, "ActiveChanged", "b", [false], true)
        try bus.tell("send", "saver", service, "/", service, "ActiveChanged", "s", ["true"], true)
        try bus.tell("send", "saver", service, "/", service, "ActiveChanged", "", [Any](), true)
        try bus.tell("send", "saver", service, "/", other, "ActiveChanged", "b", [true], true)
        try bus.tell("send", "stranger", "", "/", service, "ActiveChanged", "b", [true], true)
        try bus.tell("heard")
        #expect(recorder.events.isEmpty)
        try bus.tell("send", "saver", service, "/ScreenSaver", service, "ActiveChanged", "b", [true])
        try await eventually("the screen saver is heard") { recorder.events == [.screenLocked] }
    }

    @Test func isQuietWithoutABus() async throws {
        // The address of no bus, where each attempt can be counted.
        let (system, session) = (try DeadBus(), try DeadBus())
        let watch = recorder.watch(system: system.address, session: session.address)
        try await eventually("ten attempts at each bus") { system.attempts >= 10 && session.attempts >= 10 }
        watch.stop()
        #expect(
            recorder.lines.sorted() == [
                "info: the session is not watched: session", "info: the session is not watched: system",
            ]
        )
        #expect(recorder.events.isEmpty)
    }

    @Test func comesBackWithTheBusAndWithLogind() async throws {
        let watch = recorder.watch(system: address)
        defer { watch.stop() }
        try await eventually("no logind is said") {
            recorder.lines.contains("info: the session is not watched: system")
        }
        try bus.tell("start_logind")
        try await eventually("logind is found") { try bus.inhibitors() == 1 }
        try bus.tell("stop_logind")
        try bus.tell("start_logind")
        try await eventually("logind is found again") { try bus.inhibitors() == 1 }
        try bus.tell("stop")
        #expect(try bus.start() == address)
        try bus.tell("start_logind")
        try await eventually("the bus is found again") { try bus.inhibitors() == 1 }
        try await expectOnly([])
    }

    @Test func stopLeavesNothingBehind() async throws {
        try bus.tell("start_logind")
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let connections = try bus.connections()
        let before = try descriptors()
        for _ in 0..<30 {
            let watch = recorder.watch(system: address, session: address)
            watch.start()
            try await eventually("the lock is taken") { try bus.inhibitors() > 0 }
            watch.stop()
            watch.stop()
            try await eventually("all is closed") {
                try bus.inhibitors() == 0 && bus.connections() == connections
            }
        }
        // Other suites open files meanwhile; a leak would be thirty of each.
        #expect(try descriptors() < before + 25)
        // Its connections are closed: whatever it told, it would have told by now.
        try bus.tell("sleep", true)
        #expect(recorder.events.isEmpty)
    }
}
