// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGIO
package import MainLoop

/// The accessibility bus, on which programs describe their windows (AT-SPI 2).
///
/// It is spoken by GIO and not by libatspi: that library answers from a cache, and where it may not, it waits for itself when an event
/// comes while it asks (2.46). Here each question is answered by the program, as it is now or was when this look at it began.
@DesktopActor package final class AccessibilityBus {
    /// How long a program may take to answer one question, in milliseconds.
    static let patience = Duration.milliseconds(250)
    private var patience = AccessibilityBus.patience
    /// Until when questions are asked at all. A program that answers each one slowly would hold up everything otherwise.
    private var deadline: ContinuousClock.Instant?
    private var foreseen = ForeseenAnswers()
    private let connection: OpaquePointer

    /// Joins the bus that the session names.
    ///
    /// - Returns: `nil` if there is none.
    package init?() {
        guard let address = BusAddress.ask() else { return nil }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let joined = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else { return nil }
        connection = joined
    }

    isolated deinit {
        foreseen.forget()
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    // MARK: Questions

    /// Calls a method. `nil` where the other side does not answer in time, or answers an error.
    ///
    /// - Parameter arguments: The parameters, each of which is taken.
    func call(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [OpaquePointer?] = [],
        patience: Duration? = nil
    ) -> Variant? {
        let tuple = g_variant_new_tuple(arguments.isEmpty ? nil : arguments, gsize(arguments.count))
        let answer = g_dbus_connection_call_sync(
            connection, name, path, interface, method, tuple, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START,
            milliseconds(patience ?? self.patience), nil, nil)
        return answer.map { Variant(taking: $0) }
    }

    /// The milliseconds for one answer.
    private func milliseconds(_ patience: Duration) -> Int32 {
        var time = patience
        if let deadline { time = max(.milliseconds(1), min(time, deadline - .now)) }
        return max(1, Int32(time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000))
    }

    /// Begins or ends to read a window: what is asked from now on has to be answered by then, and is asked anew.
    ///
    /// - Parameter patience: How long one answer may take.
    func ask(until deadline: ContinuousClock.Instant?, each patience: Duration = AccessibilityBus.patience) {
        self.deadline = deadline
        self.patience = patience
        foreseen.forget()
    }

    /// Asks many questions at a time, since each would wait for its own answer otherwise.
    func foresee(_ questions: [ForeseenAnswers.Key]) {
        foreseen.ask(questions, over: connection) { milliseconds(patience) }
    }

    /// The answer to a question; the one that was foreseen, where there is one.
    func answer(to key: ForeseenAnswers.Key) -> Variant? {
        if let answer = foreseen.take(key) { return answer.map { Variant(taking: $0) } }
        let (method, arguments) = key.question.call
        return call(key.name, key.path, key.question.interface, method, arguments)
    }

    /// Whether an object is known to be gone: its program says that it does not exist, or the program's connection has ended.
    /// A program that does not answer in time may still have the object, so the answer is `false` then.
    func isGone(_ name: String, _ path: String) -> Bool {
        var problem: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection, name, path, AccessibleObject.accessible, "GetRole", nil, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START,
            250, nil, &problem)
        if let answer {
            g_variant_unref(answer)
            return false
        }
        guard let problem else { return false }
        defer { g_error_free(problem) }
        guard let word = g_dbus_error_get_remote_error(problem) else { return false }
        defer { g_free(word) }
        return !["NoReply", "Timeout", "TimedOut"].contains { String(cString: word).hasSuffix("." + $0) }
    }

    /// The object whose children are the programs on the bus.
    var desktop: AccessibleObject { AccessibleObject(self, Self.registry, "/org/a11y/atspi/accessible/root") }

    /// The process behind a connection, as the bus says.
    func process(of name: String) -> Int32? {
        call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
            [g_variant_new_string(name)])?[0]?.unsigned.map { Int32(bitPattern: $0) }
    }

    // MARK: Events

    /// What an event says: who sent it, about which object, and its first two members.
    struct Event {
        let sender: String
        let path: String
        let member: String
        let detail: Int32?
        /// The object that it is about, beside the one that sent it.
        let object: (name: String, path: String)?
        /// The connection that has ended, where the bus tells of one.
        var ended: String?
        /// How a text has changed, where it has.
        var change: TextChange?
    }

    /// A closure that signals run. It lives as long as its subscription.
    private final class Listener {
        let told: @DesktopActor (Event) -> Void

        init(_ told: @escaping @DesktopActor (Event) -> Void) {
            self.told = told
        }
    }

    /// Listens to the registry's word on programs that join the bus. It tells that to everybody, asked or not.
    func listenToPrograms(_ told: @escaping @DesktopActor (Event) -> Void) {
        subscribe(
            sender: Self.registry, interface: "org.a11y.atspi.Event.Object", member: "ChildrenChanged", detail: "add"
        ) { event in
            guard let reference = event.object else { return }
            told(Event(sender: reference.name, path: reference.path, member: event.member, detail: nil, object: nil))
        }
    }

    /// Runs a closure when the bus itself is gone.
    func whenGone(_ told: @escaping @DesktopActor () -> Void) {
        let listener = Listener { _ in told() }
        let callback:
            @convention(c) (UnsafeMutableRawPointer?, gboolean, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) ->
                Void =
                { _, _, _, data in
                    guard let data else { return }
                    let told = Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue().told
                    let event = Event(sender: "", path: "", member: "", detail: nil, object: nil)
                    DesktopActor.assumeIsolated { told(event) }
                }
        g_signal_connect_data(
            UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passRetained(listener).toOpaque(),
            { data, _ in
                if let data { Unmanaged<Listener>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }

    /// Listens to the bus's word on connections that end.
    func listenToEnds(_ told: @escaping @DesktopActor (String) -> Void) {
        let bus = "org.freedesktop.DBus"
        subscribe(sender: bus, interface: bus, member: "NameOwnerChanged", detail: nil) { event in
            if let ended = event.ended { told(ended) }
        }
    }

    /// Has programs send an event, and listens to it.
    ///
    /// - Parameters:
    ///   - event: As programs are asked for it: `object:state-changed:focused`.
    ///   - detail: What the event's first member has to be; `nil` for any.
    func listen(
        to event: String, interface: String, member: String, detail: String?,
        _ told: @escaping @DesktopActor (Event) -> Void
    ) -> Bool {
        subscribe(sender: nil, interface: interface, member: member, detail: detail, told)
        var arguments: [OpaquePointer?] = [
            g_variant_new_string(event), g_variant_new_strv(nil, 0), g_variant_new_string(""),
        ]
        let registered = g_dbus_connection_call_sync(
            connection, Self.registry, "/org/a11y/atspi/registry", Self.registry, "RegisterEvent",
            g_variant_new_tuple(&arguments, gsize(arguments.count)), nil, G_DBUS_CALL_FLAGS_NONE,
            BusAddress.startPatience,
            nil,
            nil)
        guard let registered else { return false }
        g_variant_unref(registered)
        return true
    }

    private static let registry = "org.a11y.atspi.Registry"

    /// Listens to a program's word that the text of an object has changed. GTK 4 tells that to everybody, asked or not.
    ///
    /// - Returns: What `stop` takes.
    func listenToText(of name: String, _ path: String, _ told: @escaping @DesktopActor (Event) -> Void) -> UInt32 {
        subscribe(
            sender: name, path: path, interface: "org.a11y.atspi.Event.Object", member: "TextChanged", detail: nil,
            told)
    }

    /// Listens no longer.
    func stop(_ subscription: UInt32) {
        g_dbus_connection_signal_unsubscribe(connection, subscription)
    }

    @discardableResult
    private func subscribe(
        sender: String?, path: String? = nil, interface: String, member: String, detail: String?,
        _ told: @escaping @DesktopActor (Event) -> Void
    ) -> UInt32 {
        let listener = Listener(told)
        return g_dbus_connection_signal_subscribe(
            connection, sender, interface, member, path, detail, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, sender, path, _, member, parameters, data in
                guard let sender, let path, let member, let parameters, let data else { return }
                let listener = Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
                let members = Variant(keeping: parameters)
                var object: (name: String, path: String)?
                if let reference = members[3]?[0], let name = reference[0]?.text(), let place = reference[1]?.text() {
                    object = (name, place)
                }
                var event = Event(
                    sender: String(cString: sender), path: String(cString: path), member: String(cString: member),
                    detail: members[1]?.signed, object: object,
                    ended: members[2]?.text() == "" ? members[0]?.text() : nil)
                if event.member == "TextChanged" { event.change = TextChange(members) }
                let told = listener.told
                DesktopActor.assumeIsolated { told(event) }
            }, Unmanaged.passRetained(listener).toOpaque(),
            { if let data = $0 { Unmanaged<Listener>.fromOpaque(data).release() } })
    }
}
