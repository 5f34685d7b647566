// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
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

    private static let notifications = (
        path: "/org/freedesktop/Notifications", interface: "org.freedesktop.Notifications"
    )

    /// The abilities of a notification server (Desktop Notifications Specification 1.2, `GetCapabilities`).
    ///
    /// - Parameter owner: The server's connection. A service's name would start one that does not run.
    /// - Throws: a `BusError`: the server refused, or did not answer within a second.
    func notificationAbilities(of owner: String) throws(BusError) -> Set<String> {
        let message = try newCall(owner, Self.notifications.path, Self.notifications.interface, "GetCapabilities")
        let answer = try send(message, within: .seconds(1))
        var abilities: Set<String> = []
        guard try answer.enter(.array, "s") else { return abilities }
        while !(try answer.isAtEnd) { abilities.insert(try answer.readText()) }
        return abilities
    }

    /// Shows a notification, which is kept out of lists of past ones where the server does that.
    ///
    /// - Parameters:
    ///   - body: One line each, with their markup escaped.
    ///   - actions: The keys and labels of the buttons.
    ///   - stays: Whether it stays until somebody closes it, and not as long as the server likes.
    /// - Returns: The notification's number.
    /// - Throws: a `BusError`: the server refused, or did not answer within half a minute. Without its answer nothing could be closed.
    func notify(
        _ owner: String, title: String, body: [String], actions: [(key: String, label: String)], stays: Bool
    ) throws(BusError) -> UInt32 {
        let message = try newCall(owner, Self.notifications.path, Self.notifications.interface, "Notify")
        try message.append("Latchkey")
        try message.append(UInt32(0))
        try message.append("dialog-password")
        try message.append(title)
        try message.append(body.joined(separator: "\n"))
        try message.append(actions.flatMap { [$0.key, $0.label] })
        try message.append(flags: ["transient": true])
        try message.append(Int32(stays ? 0 : -1))
        return try send(message, within: .seconds(30)).readNumber()
    }

    func closeNotification(_ number: UInt32, of owner: String) throws(BusError) {
        let message = try newCall(owner, Self.notifications.path, Self.notifications.interface, "CloseNotification")
        try message.append(number)
        _ = try send(message, within: .seconds(1))
    }
}
