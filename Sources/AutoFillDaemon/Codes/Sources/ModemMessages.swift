// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Text messages of phones and modems, by ModemManager (`org.freedesktop.ModemManager1.Modem.Messaging`).
struct ModemMessages: BusCodeListening {
    private static let messaging = "org.freedesktop.ModemManager1.Modem.Messaging"
    private static let message = "org.freedesktop.ModemManager1.Sms"
    /// `MM_SMS_STATE_RECEIVED`: all parts are there.
    private static let received: UInt32 = 3
    /// Maximum number of messages that wait for their other parts.
    private static let limit = 64

    /// The paths of received messages that may be incomplete.
    private var arriving: [String] = []

    let origin = CodeOrigin.modem
    let bus = Bus.system
    let service = "org.freedesktop.ModemManager1"
    let title = "ModemManager"

    var matchRules: [String] {
        let signal = "type='signal',sender='\(service)',interface="
        return [
            signal + "'\(Self.messaging)',member='Added'",
            signal + "'org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(Self.message)'",
        ]
    }

    /// "Added" comes with the first part of a message; the message's state tells when the last part has arrived.
    mutating func objects(after signal: BusSignal) -> [String] {
        switch (signal.interface, signal.member, signal.body) {
        case (Self.messaging, "Added", .arrival(let path, let isReceived)):
            // Messages that this machine sends are added too; skip them.
            guard isReceived else { return [] }
            arriving = arriving.filter { $0 != path }.suffix(Self.limit - 1) + [path]
            return [path]
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged", .properties(Self.message, _)):
            return arriving.contains(signal.path) ? [signal.path] : []
        default: return []
        }
    }

    func texts(of path: String, on connection: borrowing BusConnection) throws(BusError) -> [SecretBytes] {
        guard try connection.number("State", Self.message, of: path, service) == Self.received,
            let text = try connection.text("Text", Self.message, of: path, service), text.count > 0
        else { return [] }
        return [text]
    }
}
