// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSystemd
internal import Glibc

/// A connection to a bus. It belongs to the thread that made it, and is closed with this value.
///
/// Signals are read one by one with `next()`, so sd-bus needs no callbacks, and never holds a pointer of ours.
/// Messages that arrive while a call waits for its answer are kept and delivered afterwards.
struct BusConnection: ~Copyable {
    /// The result of `next()`.
    enum Step {
        case signal(BusSignal)
        /// No signal, but something was processed: call it again.
        case nothing
        /// Everything is read: call `wait(_:)`.
        case idle
    }

    private let bus: OpaquePointer

    private init(owning bus: OpaquePointer) { self.bus = bus }

    /// Connects to a bus.
    ///
    /// - Parameter isMonitor: whether the connection will only monitor others' messages (`becomeMonitor(_:)`).
    /// - Throws: a `BusError` when nobody listens there.
    static func open(address: String, isMonitor: Bool = false) throws(BusError) -> BusConnection {
        var made: OpaquePointer?
        try BusError.check(sd_bus_new(&made))
        guard let made else { throw BusError(code: ENOMEM) }
        let connection = BusConnection(owning: made)
        try BusError.check(sd_bus_set_address(made, address))
        try BusError.check(sd_bus_set_bus_client(made, 1))
        if isMonitor { try BusError.check(sd_bus_set_monitor(made, 1)) }
        // Logind passes the inhibitor lock as a descriptor.
        try BusError.check(sd_bus_negotiate_fds(made, 1))
        try BusError.check(sd_bus_set_method_call_timeout(made, 5_000_000))
        try BusError.check(sd_bus_start(made))
        return connection
    }

    deinit { sd_bus_close_unref(bus) }

    /// Whether root listens at the bus's socket. An environment can name any bus as the system's.
    var isRoots: Bool {
        var peer = latchkey_peer()
        let descriptor = sd_bus_get_fd(bus)
        return descriptor >= 0 && latchkey_peer_credentials(descriptor, &peer) == 0 && peer.user == 0
    }

    /// The next signal, without waiting for it.
    ///
    /// - Throws: a `BusError` when the bus went away.
    func next() throws(BusError) -> Step {
        var pointer: OpaquePointer?
        let progress = try BusError.check(sd_bus_process(bus, &pointer)) > 0
        if let pointer, let signal = BusMessage(owning: pointer).signal() { return .signal(signal) }
        return progress ? .nothing : .idle
    }

    /// Passes the next message of any kind to `body`. Returns whether there was one, or a message of sd-bus's own.
    func takeNext(_ body: (borrowing BusMessage) -> Void) throws(BusError) -> Bool {
        var pointer: OpaquePointer?
        let progress = try BusError.check(sd_bus_process(bus, &pointer)) > 0
        if let pointer { body(BusMessage(owning: pointer)) }
        return progress
    }

    /// Makes the connection a monitor of the messages that match the rules (D-Bus specification, "org.freedesktop.DBus.Monitoring"). No
    /// method can be called afterwards.
    func becomeMonitor(_ rules: [String]) throws(BusError) {
        let message = try newCall(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Monitoring", "BecomeMonitor")
        try message.append(rules)
        try message.append(UInt32(0))
        _ = try send(message)
    }

    /// Waits until there is something for `next()`, or for the waker.
    func wait(_ waker: Waker) throws(BusError) {
        let descriptor = try BusError.check(sd_bus_get_fd(bus))
        let events = try BusError.check(sd_bus_get_events(bus))
        var deadline = UInt64.max
        try BusError.check(sd_bus_get_timeout(bus, &deadline))
        waker.wait(for: descriptor, events: Int16(truncatingIfNeeded: events), atMost: Self.span(until: deadline))
    }

    /// Calls a method whose arguments are strings.
    ///
    /// - Parameter starts: Whether a service that does not run yet is started for the call.
    /// - Throws: a `BusError`: the answer was an error, or none came within five seconds.
    func call(
        _ service: String,
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: String...,
        starts: Bool = false
    ) throws(BusError) -> BusMessage {
        let message = try newCall(service, path, interface, member)
        // In most calls only running services matter.
        try BusError.check(message.withPointer { sd_bus_message_set_auto_start($0, starts ? 1 : 0) })
        for argument in arguments { try message.append(argument) }
        return try send(message)
    }

    /// A method call without its arguments. The service is not started for it.
    func newCall(
        _ service: String, _ path: String, _ interface: String, _ member: String
    ) throws(BusError) -> BusMessage {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_call(bus, &made, service, path, interface, member))
        guard let made else { throw BusError(code: ENOMEM) }
        let message = BusMessage(owning: made)
        try BusError.check(sd_bus_message_set_auto_start(made, 0))
        return message
    }

    /// Calls a method and waits for its answer.
    ///
    /// - Parameter patience: How long to wait; `nil` for five seconds.
    func send(_ message: borrowing BusMessage, within patience: Duration? = nil) throws(BusError) -> BusMessage {
        let microseconds = UInt64(patience.map { $0 / .microseconds(1) } ?? 0)
        var answer: OpaquePointer?
        let bus = self.bus
        try BusError.check(message.withPointer { sd_bus_call(bus, $0, microseconds, nil, &answer) })
        guard let answer else { throw BusError(code: EBADMSG) }
        return BusMessage(owning: answer)
    }

    /// `deadline` is in microseconds of the monotonic clock; all ones for none.
    private static func span(until deadline: UInt64) -> Duration? {
        guard deadline != .max else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let elapsed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
        return .microseconds(deadline > elapsed ? Int64(clamping: deadline - elapsed) : 0)
    }
}
