// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A decoded signal from a bus. Only the sender is certain, because the bus writes it; everything else is unverified.
struct BusSignal: Sendable, Equatable {
    /// The unique name of the connection that sent it, or `org.freedesktop.DBus` for the bus itself.
    var sender: String
    var path: String
    var interface: String
    var member: String
    var body: Body

    /// The bodies that mean something here, by their signature.
    enum Body: Sendable, Equatable {
        /// No argument.
        case empty
        /// `b`
        case flag(Bool)
        /// `s`: a name.
        case text(String)
        /// `ob`: an object, and whether it came from elsewhere.
        case arrival(path: String, isReceived: Bool)
        /// `so`: a session's name and its object.
        case object(name: String, path: String)
        /// `sss`: a service's name, its last owner and its new one; empty for none.
        case owner(name: String, old: String, new: String)
        /// `sa{sv}as`: the interface whose properties changed, and those of them that are booleans.
        case properties(interface: String, flags: [String: Bool])
        /// `us`: a notification's number and the key of what was pressed.
        case action(UInt32, String)
        /// `uu`: the number of a notification that is gone. Why is not used.
        case closed(UInt32)
        /// Any other signature, and what cannot be read.
        case other
    }
}
