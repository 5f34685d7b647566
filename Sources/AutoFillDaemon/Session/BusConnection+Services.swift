// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension BusConnection {
    /// Asks the bus for the signals of a match rule.
    func add(rule: String) throws(BusError) {
        _ = try call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", rule)
    }

    /// The connection that owns a service; `nil` if the service does not run.
    func owner(of service: String) throws(BusError) -> String? {
        do throws(BusError) {
            return try call(
                "org.freedesktop.DBus",
                "/org/freedesktop/DBus",
                "org.freedesktop.DBus",
                "GetNameOwner",
                service
            ).readText()
        } catch {
            // NameHasNoOwner, in sd-bus's numbers.
            guard error.code == ENXIO else { throw error }
            return nil
        }
    }

    /// Logind's sessions, of every user.
    func loginSessions() throws(BusError) -> [SessionPolicy.LoginSession] {
        let answer = try call(Bus.login, "/org/freedesktop/login1", Bus.login + ".Manager", "ListSessions")
        var sessions: [SessionPolicy.LoginSession] = []
        guard try answer.enter(.array, "(susso)") else { return sessions }
        while try answer.enter(.structure, "susso") {
            try answer.skip("s")
            let user = try answer.readNumber()
            try answer.skip("ss")
            sessions.append(.init(path: try answer.readText(.object), user: user))
            try answer.exit()
        }
        return sessions
    }

    /// Whether a session is locked already, as far as logind knows.
    func lockedHint(of path: String) throws(BusError) -> Bool {
        let answer = try call(
            Bus.login,
            path,
            "org.freedesktop.DBus.Properties",
            "Get",
            Bus.login + ".Session",
            "LockedHint"
        )
        guard answer.isVariant(of: .flag), try answer.enter(.variant, "b") else { return false }
        return try answer.readFlag()
    }

    /// What logind states of a session in a text, such as its class.
    func sessionProperty(_ name: String, of path: String) throws(BusError) -> String {
        let answer = try call(
            Bus.login, path, "org.freedesktop.DBus.Properties", "Get", Bus.login + ".Session", name)
        guard answer.isVariant(of: .text), try answer.enter(.variant, "s") else { throw BusError(code: EBADMSG) }
        return try answer.readText()
    }

    /// Asks logind to wait with a suspension (org.freedesktop.login1(5), `Inhibit`).
    func inhibitSleep() throws(BusError) -> Inhibitor {
        let answer = try call(
            Bus.login,
            "/org/freedesktop/login1",
            Bus.login + ".Manager",
            "Inhibit",
            "sleep",
            "Latchkey",
            "Wipes its keys",
            "delay"
        )
        return try Inhibitor(copying: answer.readDescriptor())
    }
}
