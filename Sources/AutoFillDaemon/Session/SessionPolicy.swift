// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Decides which signals of one bus mean that the session suspends or locks. No bus is needed for that.
struct SessionPolicy: Sendable {
    /// An action that follows from a signal.
    enum Action: Sendable, Equatable {
        /// Tell the handler; a suspension waits for it.
        case report(SessionEvent)
        /// Ask logind to wait with the next suspension until the handler is done.
        case delaySleep
        /// Ask logind for its sessions and hand them to `take(sessions:)`.
        case listSessions
        /// Ask logind whether this session is locked and hand it to `take(lockedHint:of:)`.
        case readLockedHint(path: String)
    }

    /// A row of logind's `ListSessions`.
    struct LoginSession: Sendable, Equatable {
        var path: String
        var user: UInt32
    }

    private let bus: Bus
    private let user: UInt32
    /// The connection that owns each service now. A signal counts only if it came from there.
    private var owners: [String: String] = [:]
    private var ownSessions: Set<String> = []

    /// - Parameter user: whose sessions count.
    init(bus: Bus, user: UInt32) {
        self.bus = bus
        self.user = user
    }

    /// Whether any of the services runs.
    var hasService: Bool { !owners.isEmpty }

    /// Records the owner of a service; `nil` if nobody owns it.
    mutating func take(owner: String?, of service: String) -> [Action] {
        guard bus.services.contains(service) else { return [] }
        owners[service] = owner
        guard service == Bus.login else { return [] }
        // The sessions of a restarted logind are different ones, even if their paths are the same.
        ownSessions = []
        return owner == nil ? [] : [.listSessions, .delaySleep]
    }

    /// Records the sessions. A new one may be locked already, with its signal missed.
    mutating func take(sessions: [LoginSession]) -> [Action] {
        let own = Set(sessions.lazy.filter { [user] in $0.user == user }.map(\.path))
        defer { ownSessions = own }
        return own.subtracting(ownSessions).sorted().map { .readLockedHint(path: $0) }
    }

    /// Decides what logind's answer about one session means.
    func take(lockedHint: Bool, of path: String) -> [Action] {
        lockedHint && ownSessions.contains(path) ? [.report(.screenLocked)] : []
    }

    /// Decides what a signal means; most signals mean no action.
    mutating func take(_ signal: BusSignal) -> [Action] {
        // Nobody but the bus can send under this name (D-Bus specification, "Message Bus Overview").
        if signal.sender == "org.freedesktop.DBus" { return takeFromBus(signal) }
        switch bus {
        case .system:
            guard signal.sender == owners[Bus.login] else { return [] }
            return takeFromLogin(signal)
        case .session:
            guard bus.services.contains(signal.interface), signal.sender == owners[signal.interface],
                signal.member == "ActiveChanged", signal.body == .flag(true)
            else { return [] }
            return [.report(.screenLocked)]
        }
    }

    private mutating func takeFromBus(_ signal: BusSignal) -> [Action] {
        guard signal.path == "/org/freedesktop/DBus", signal.interface == "org.freedesktop.DBus",
            signal.member == "NameOwnerChanged", case .owner(let name, _, let new) = signal.body
        else { return [] }
        return take(owner: new.isEmpty ? nil : new, of: name)
    }

    private mutating func takeFromLogin(_ signal: BusSignal) -> [Action] {
        switch (signal.interface, signal.member, signal.body) {
        case (Bus.login + ".Manager", _, _) where signal.path != "/org/freedesktop/login1":
            return []
        case (Bus.login + ".Manager", "PrepareForSleep", .flag(let begins)):
            return [begins ? .report(.suspending) : .delaySleep]
        case (Bus.login + ".Manager", "SessionNew", .object):
            return [.listSessions]
        case (Bus.login + ".Manager", "SessionRemoved", .object(_, let path)):
            return ownSessions.remove(path) == nil ? [] : [.report(.sessionEnded)]
        case (Bus.login + ".Session", "Lock", .empty):
            return take(lockedHint: true, of: signal.path)
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged", .properties(Bus.login + ".Session", let flags)):
            return take(lockedHint: flags["LockedHint"] ?? false, of: signal.path)
        default:
            return []
        }
    }
}
