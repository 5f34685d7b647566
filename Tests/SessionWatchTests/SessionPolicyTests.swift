// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon

private let own: UInt32 = 1000
private let ownPath = "/org/freedesktop/login1/session/c1"
private let otherPath = "/org/freedesktop/login1/session/c2"

/// A signal as logind at `:1.5` sends it, with what a test changes about it.
private func login(
    _ member: String,
    _ body: BusSignal.Body,
    interface: String = "org.freedesktop.login1.Manager",
    path: String = "/org/freedesktop/login1",
    sender: String = ":1.5"
) -> BusSignal {
    BusSignal(sender: sender, path: path, interface: interface, member: member, body: body)
}

private func session(
    _ member: String,
    _ body: BusSignal.Body,
    path: String = ownPath,
    sender: String = ":1.5"
) -> BusSignal {
    login(member, body, interface: "org.freedesktop.login1.Session", path: path, sender: sender)
}

private func changed(
    _ flags: [String: Bool],
    of interface: String = "org.freedesktop.login1.Session",
    path: String = ownPath,
    sender: String = ":1.5"
) -> BusSignal {
    login(
        "PropertiesChanged",
        .properties(interface: interface, flags: flags),
        interface: "org.freedesktop.DBus.Properties",
        path: path,
        sender: sender
    )
}

private func saver(
    _ body: BusSignal.Body,
    interface: String = "org.gnome.ScreenSaver",
    member: String = "ActiveChanged",
    sender: String = ":1.7"
) -> BusSignal {
    BusSignal(sender: sender, path: "/org/gnome/ScreenSaver", interface: interface, member: member, body: body)
}

private func ownerChanged(
    _ name: String,
    to new: String,
    path: String = "/org/freedesktop/DBus",
    interface: String = "org.freedesktop.DBus",
    member: String = "NameOwnerChanged",
    sender: String = "org.freedesktop.DBus"
) -> BusSignal {
    BusSignal(
        sender: sender,
        path: path,
        interface: interface,
        member: member,
        body: .owner(name: name, old: "", new: new)
    )
}

@Suite struct SessionPolicyTests {
    private func systemPolicy() -> SessionPolicy {
        var policy = SessionPolicy(bus: .system, user: own)
        _ = policy.take(owner: ":1.5", of: Bus.login)
        _ = policy.take(sessions: [.init(path: ownPath, user: own), .init(path: otherPath, user: 1001)])
        return policy
    }

    private func sessionPolicy() -> SessionPolicy {
        var policy = SessionPolicy(bus: .session, user: own)
        _ = policy.take(owner: ":1.7", of: "org.gnome.ScreenSaver")
        return policy
    }

    @Test(arguments: [
        (login("PrepareForSleep", .flag(true)), SessionPolicy.Action.report(.suspending)),
        (login("PrepareForSleep", .flag(false)), .delaySleep),
        (login("SessionNew", .object(name: "c3", path: "/org/freedesktop/login1/session/c3")), .listSessions),
        (session("Lock", .empty), .report(.screenLocked)),
        (changed(["LockedHint": true, "Active": false]), .report(.screenLocked)),
    ])
    func hearsLogind(signal: BusSignal, action: SessionPolicy.Action) {
        var policy = systemPolicy()
        #expect(policy.take(signal) == [action])
    }

    @Test(arguments: [
        // Not logind.
        login("PrepareForSleep", .flag(true), sender: ":1.6"),
        login("PrepareForSleep", .flag(true), sender: ""),
        login("PrepareForSleep", .flag(true), sender: "org.freedesktop.login1"),
        login("PrepareForSleep", .flag(true), sender: "org.freedesktop.DBus"),
        session("Lock", .empty, sender: ":1.50"),
        changed(["LockedHint": true], sender: ":1.6"),
        // Another user's session, or none at all.
        session("Lock", .empty, path: otherPath),
        changed(["LockedHint": true], path: otherPath),
        session("Lock", .empty, path: ownPath + "0"),
        session("Lock", .empty, path: "/org/freedesktop/login1"),
        session("Lock", .empty, path: ""),
        // Another body than logind's.
        login("PrepareForSleep", .empty),
        login("PrepareForSleep", .other),
        login("PrepareForSleep", .object(name: "true", path: "/true")),
        session("Lock", .flag(true)),
        session("Lock", .other),
        changed([:]),
        changed(["LockedHint": false]),
        changed(["lockedhint": true, "Locked": true, "Active": true]),
        session(
            "PropertiesChanged",
            .properties(interface: "org.freedesktop.login1.Session", flags: ["LockedHint": true])
        ),
        login("SessionNew", .empty),
        login("SessionRemoved", .other),
        // Another object, interface or member.
        login("PrepareForSleep", .flag(true), path: "/org/freedesktop/login2"),
        login("PrepareForSleep", .flag(true), interface: "org.freedesktop.login1.Session"),
        login("PrepareForSleep", .flag(true), interface: ""),
        login("PrepareForShutdown", .flag(true)),
        login("prepareForSleep", .flag(true)),
        login("Lock", .empty, path: ownPath),
        session("Unlock", .empty),
        changed(["LockedHint": true], of: "org.freedesktop.login1.User"),
        // A screen saver, on the wrong bus.
        saver(.flag(true), sender: ":1.5"),
    ])
    func refusesEverythingElseOnTheSystemBus(signal: BusSignal) {
        var policy = systemPolicy()
        #expect(policy.take(signal).isEmpty)
    }

    @Test func hearsTheOwnerOfAScreenSaver() {
        var policy = sessionPolicy()
        #expect(policy.take(saver(.flag(true))) == [.report(.screenLocked)])
        #expect(policy.take(ownerChanged("org.freedesktop.ScreenSaver", to: ":1.9")).isEmpty)
        let signal = saver(.flag(true), interface: "org.freedesktop.ScreenSaver", sender: ":1.9")
        #expect(policy.take(signal) == [.report(.screenLocked)])
    }

    @Test(arguments: [
        saver(.flag(false)),
        saver(.empty),
        saver(.other),
        saver(.flag(true), sender: ":1.8"),
        saver(.flag(true), sender: "org.gnome.ScreenSaver"),
        saver(.flag(true), sender: ""),
        // Nobody owns this one, and its neighbour's owner is not its own.
        saver(.flag(true), interface: "org.freedesktop.ScreenSaver"),
        saver(.flag(true), interface: "org.freedesktop.ScreenSaver", sender: ""),
        saver(.flag(true), interface: "org.example.ScreenSaver"),
        saver(.flag(true), interface: ""),
        saver(.flag(true), member: "WakeUpScreen"),
        saver(.flag(true), member: ""),
        login("PrepareForSleep", .flag(true), sender: ":1.7"),
        session("Lock", .empty, sender: ":1.7"),
    ])
    func refusesEverythingElseOnTheSessionBus(signal: BusSignal) {
        var policy = sessionPolicy()
        #expect(policy.take(signal).isEmpty)
    }

    @Test(arguments: [
        ownerChanged(Bus.login, to: ":1.66", sender: ":1.6"),
        ownerChanged(Bus.login, to: ":1.66", sender: ":1.5"),
        ownerChanged(Bus.login, to: ":1.66", path: "/"),
        ownerChanged(Bus.login, to: ":1.66", interface: "org.example.DBus"),
        ownerChanged(Bus.login, to: ":1.66", member: "NameAcquired"),
        ownerChanged("org.freedesktop.login10", to: ":1.66"),
        ownerChanged("org.gnome.ScreenSaver", to: ":1.66"),
        ownerChanged("", to: ":1.66"),
    ])
    func refusesAnOwnerThatTheBusDidNotName(signal: BusSignal) {
        var policy = systemPolicy()
        #expect(policy.take(signal).isEmpty)
        #expect(policy.take(login("PrepareForSleep", .flag(true), sender: ":1.66")).isEmpty)
        #expect(policy.take(login("PrepareForSleep", .flag(true))) == [.report(.suspending)])
    }

    @Test func followsLogindToItsNextOwner() {
        var policy = systemPolicy()
        #expect(policy.take(ownerChanged(Bus.login, to: "")).isEmpty)
        #expect(!policy.hasService)
        #expect(policy.take(login("PrepareForSleep", .flag(true))).isEmpty)
        #expect(policy.take(login("PrepareForSleep", .flag(true), sender: "")).isEmpty)
        #expect(policy.take(ownerChanged(Bus.login, to: ":1.80")) == [.listSessions, .delaySleep])
        #expect(policy.hasService)
        // The sessions of the last logind are not those of this one.
        #expect(policy.take(session("Lock", .empty, sender: ":1.80")).isEmpty)
        #expect(policy.take(login("PrepareForSleep", .flag(true))).isEmpty)
        #expect(policy.take(login("PrepareForSleep", .flag(true), sender: ":1.80")) == [.report(.suspending)])
    }

    @Test func knowsNobodyAtFirst() {
        var policy = SessionPolicy(bus: .system, user: own)
        #expect(!policy.hasService)
        #expect(policy.take(login("PrepareForSleep", .flag(true))).isEmpty)
        #expect(policy.take(owner: nil, of: Bus.login).isEmpty)
        #expect(policy.take(login("PrepareForSleep", .flag(true), sender: "")).isEmpty)
    }

    @Test func asksOnceAboutEachOfTheUsersSessions() {
        var policy = SessionPolicy(bus: .system, user: own)
        _ = policy.take(owner: ":1.5", of: Bus.login)
        let rows = [SessionPolicy.LoginSession(path: ownPath, user: own), .init(path: otherPath, user: 0)]
        #expect(policy.take(sessions: rows) == [.readLockedHint(path: ownPath)])
        #expect(policy.take(sessions: rows).isEmpty)
        #expect(policy.take(lockedHint: true, of: ownPath) == [.report(.screenLocked)])
        #expect(policy.take(lockedHint: false, of: ownPath).isEmpty)
        #expect(policy.take(lockedHint: true, of: otherPath).isEmpty)
    }

    @Test func tellsOfTheUsersSessionsThatEnd() {
        var policy = systemPolicy()
        #expect(policy.take(login("SessionRemoved", .object(name: "c9", path: otherPath))).isEmpty)
        #expect(policy.take(login("SessionRemoved", .object(name: "c1", path: ownPath), sender: ":1.9")).isEmpty)
        #expect(policy.take(login("SessionRemoved", .object(name: "c1", path: ownPath))) == [.report(.sessionEnded)])
    }

    @Test func forgetsASessionThatEnded() {
        var policy = systemPolicy()
        #expect(policy.take(login("SessionRemoved", .object(name: "c1", path: ownPath))) == [.report(.sessionEnded)])
        #expect(policy.take(login("SessionRemoved", .object(name: "c1", path: ownPath))).isEmpty)
        #expect(policy.take(session("Lock", .empty)).isEmpty)
        // Its path may be another user's by now.
        #expect(policy.take(sessions: [.init(path: ownPath, user: 1001)]).isEmpty)
        #expect(policy.take(session("Lock", .empty)).isEmpty)
    }
}
