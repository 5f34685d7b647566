// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
package import MainLoop
package import PasswordsModel

/// Answers the search of GNOME Shell over the session bus (org.gnome.Shell.SearchProvider2). It has no window, and ends by itself.
@DesktopActor package final class ShellSearchService {
    /// The name that the shell starts it by.
    package static let busName = "org.latchkey.Passwords.SearchProvider"
    private static let path = "/org/latchkey/Passwords/SearchProvider"
    private static let shellName = "org.gnome.Shell"
    /// After this many seconds without a search it ends.
    private static let idleSeconds: guint = 60

    private static let interface = """
        <node><interface name='org.gnome.Shell.SearchProvider2'>
        <method name='GetInitialResultSet'><arg type='as' direction='in'/><arg type='as' direction='out'/></method>
        <method name='GetSubsearchResultSet'><arg type='as' direction='in'/><arg type='as' direction='in'/>
        <arg type='as' direction='out'/></method>
        <method name='GetResultMetas'><arg type='as' direction='in'/><arg type='aa{sv}' direction='out'/></method>
        <method name='ActivateResult'><arg type='s' direction='in'/><arg type='as' direction='in'/>
        <arg type='u' direction='in'/></method>
        <method name='LaunchSearch'><arg type='as' direction='in'/><arg type='u' direction='in'/></method>
        </interface></node>
        """

    private let daemon: any DaemonAsking
    private let show: @DesktopActor (MainWindow.Wish) -> Void
    private let loop = g_main_loop_new(nil, 0)
    private var connection: OpaquePointer?
    private var timer: guint = 0

    /// - Parameters:
    ///   - daemon: What is asked for accounts.
    ///   - show: Opens the app for what the user has chosen.
    package init(daemon: any DaemonAsking, show: @escaping @DesktopActor (MainWindow.Wish) -> Void) {
        self.daemon = daemon
        self.show = show
    }

    /// Takes the name on the session bus and answers searches; returns a minute after the last one. Called on the main thread.
    ///
    /// - Parameter begin: Makes the service, and is called within the main loop's room.
    /// - Returns: The exit status.
    package nonisolated static func run(_ begin: @DesktopActor () -> ShellSearchService) -> Int32 {
        guard g_main_context_acquire(g_main_context_default()) != 0 else { return 70 }
        return DesktopActor.assumeIsolated {
            let service = begin()
            guard service.offer() else { return 69 }
            g_main_loop_run(service.loop)
            g_dbus_connection_flush_sync(service.connection, nil, nil)
            return 0
        }
    }

    /// Ends it once what is being answered has its answer.
    package func end() {
        g_idle_add(
            { data in
                if let data { g_main_loop_quit(OpaquePointer(data)) }
                return 0
            }, UnsafeMutableRawPointer(loop))
    }

    private func offer() -> Bool {
        guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil),
            let node = g_dbus_node_info_new_for_xml(Self.interface, nil),
            let description = g_dbus_node_info_lookup_interface(node, "org.gnome.Shell.SearchProvider2")
        else { return false }
        self.connection = connection
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, _, _, method, parameters, invocation, data in
            guard let sender, let method, let parameters, let invocation, let data else { return }
            // GLib calls this within the main loop, and the call is this function's until it is answered.
            let service = Unmanaged<ShellSearchService>.fromOpaque(data).takeUnretainedValue()
            let (from, name) = (String(cString: sender), String(cString: method))
            nonisolated(unsafe) let call = (parameters: parameters, invocation: invocation)
            DesktopActor.assumeIsolated { service.take(name, from: from, call.parameters, call.invocation) }
        }
        let registered = g_dbus_connection_register_object(
            connection, Self.path, description, &table, Unmanaged.passUnretained(self).toOpaque(), nil, nil)
        guard registered != 0 else { return false }
        g_bus_own_name_on_connection(
            connection, Self.busName, G_BUS_NAME_OWNER_FLAGS_NONE, nil,
            { _, _, data in
                guard let data else { return }
                let service = Unmanaged<ShellSearchService>.fromOpaque(data).takeUnretainedValue()
                DesktopActor.assumeIsolated { service.end() }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
        wait()
        return true
    }

    /// Ends it, unless it is asked again before.
    private func wait() {
        if timer != 0 { g_source_remove(timer) }
        timer = g_timeout_add_seconds(
            Self.idleSeconds,
            { data in
                guard let data else { return 0 }
                let service = Unmanaged<ShellSearchService>.fromOpaque(data).takeUnretainedValue()
                DesktopActor.assumeIsolated {
                    service.timer = 0
                    service.end()
                }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: Answers

    /// A call of the shell's, as text. What it does not have the right shape for is empty.
    private struct Call: Sendable {
        var words: [String] = []
        var id = ""
    }

    private func take(
        _ method: String, from sender: String, _ parameters: OpaquePointer, _ invocation: OpaquePointer
    ) {
        var call = Call()
        switch method {
        case "GetSubsearchResultSet": call.words = Self.texts(parameters, 1)
        case "ActivateResult": call.id = Self.text(parameters, 0)
        default: call.words = Self.texts(parameters, 0)
        }
        // Only the task below uses it, on this thread, and answers it once.
        nonisolated(unsafe) let invocation = invocation
        Task { @DesktopActor in
            do {
                try await admit(sender)
                wait()
                let answer = try await answer(method, call)
                g_dbus_method_invocation_return_value(invocation, answer)
            } catch {
                // Why is nobody's business who is not the shell.
                g_dbus_method_invocation_return_dbus_error(
                    invocation, "org.freedesktop.DBus.Error.AccessDenied", "Nothing is found.")
            }
        }
    }

    /// Lets the shell alone go on: the owner of its name, whose program is the one that root has installed.
    private func admit(_ sender: String) async throws {
        let refusal = WireError(.notPermitted, "Only the desktop's own search is answered.")
        guard let owner = ask("GetNameOwner", Self.shellName).flatMap({ Self.taken($0) { Self.text($0, 0) } }),
            owner == sender,
            let process = ask("GetConnectionUnixProcessID", sender).flatMap({ Self.taken($0) { Self.number($0) } })
        else { throw refusal }
        _ = try await daemon.call(Search.Admit.self, .init(process: process))
        // Still the same: a process number may have been given away meanwhile.
        guard ask("GetNameOwner", Self.shellName).flatMap({ Self.taken($0) { Self.text($0, 0) } }) == sender else {
            throw refusal
        }
    }

    private func answer(_ method: String, _ call: Call) async throws -> OpaquePointer? {
        switch method {
        case "GetInitialResultSet", "GetSubsearchResultSet":
            var results = try await results()
            return Self.tuple(Self.array("s", results.ids(for: call.words).map { g_variant_new_string($0) }))
        case "GetResultMetas":
            let results = try await results()
            let entries = call.words.prefix(ShellResults.limit).compactMap { id in
                results.entry(id).map { latchkey_search_entry(id, $0.title, $0.user) }
            }
            return Self.tuple(Self.array("a{sv}", entries))
        case "ActivateResult": show(.account(call.id))
        case "LaunchSearch": show(.search(call.words.joined(separator: " ")))
        default: throw WireError(.methodNotFound, "There is no method \(method.prefix(64)) here.")
        }
        return nil
    }

    private func results() async throws -> ShellResults {
        ShellResults(try await daemon.items(removed: false) { _ in })
    }

    /// Asks the bus something about a name.
    private func ask(_ method: String, _ name: String) -> OpaquePointer? {
        let bus = "org.freedesktop.DBus"
        return g_dbus_connection_call_sync(
            connection, bus, "/org/freedesktop/DBus", bus, method, Self.tuple(g_variant_new_string(name)), nil,
            G_DBUS_CALL_FLAGS_NONE, 2_000, nil, nil)
    }

    // MARK: Values

    private static func taken<Value>(_ variant: OpaquePointer, _ body: (OpaquePointer) -> Value) -> Value {
        defer { g_variant_unref(variant) }
        return body(variant)
    }

    private static func tuple(_ child: OpaquePointer?) -> OpaquePointer? {
        var children = [child]
        return g_variant_new_tuple(&children, 1)
    }

    private static func array(_ type: String, _ children: [OpaquePointer?]) -> OpaquePointer? {
        let kind = g_variant_type_new(type)
        defer { g_variant_type_free(kind) }
        return g_variant_new_array(kind, children.isEmpty ? nil : children, gsize(children.count))
    }

    private static func text(_ tuple: OpaquePointer, _ index: gsize) -> String {
        guard index < g_variant_n_children(tuple), let child = g_variant_get_child_value(tuple, index) else {
            return ""
        }
        return taken(child) { child in g_variant_get_string(child, nil).map { String(cString: $0) } ?? "" }
    }

    private static func texts(_ tuple: OpaquePointer, _ index: gsize) -> [String] {
        guard index < g_variant_n_children(tuple), let child = g_variant_get_child_value(tuple, index) else {
            return []
        }
        return taken(child) { child in (0..<min(64, g_variant_n_children(child))).map { text(child, $0) } }
    }

    private static func number(_ tuple: OpaquePointer) -> Int32? {
        guard let child = g_variant_get_child_value(tuple, 0) else { return nil }
        return taken(child) { Int32(exactly: g_variant_get_uint32($0)) }
    }
}
