// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation

/// Notifications of phones, by GSConnect.
///
/// GSConnect sends notifications to the desktop alone: it asks for each one to be shown. So this connection becomes a monitor (D-Bus
/// specification, "org.freedesktop.DBus.Monitoring") for the messages that GSConnect itself sends there. The bus compares the sender, so
/// the notifications of other programs do not come here.
struct GSConnectNotifications: CodeSource {
    private static let service = "org.gnome.Shell.Extensions.GSConnect"

    let address: String?
    var retry: Duration = .seconds(60)

    let origin = CodeOrigin.gsConnect

    static var matchRules: [String] {
        let call = "type='method_call',sender='\(service)',"
        return [
            call + "interface='org.gtk.Notifications',member='AddNotification'",
            call + "interface='org.freedesktop.Notifications',member='Notify'",
        ]
    }

    func start(
        until waker: Waker, report: @escaping @Sendable (CodeSourceState) -> Void,
        deliver: @escaping @Sendable (CodeDelivery) -> Void
    ) {
        guard let address else { return report(.waiting("there is no session bus")) }
        Thread.detachNewThread {
            while !waker.isAwake {
                do throws(BusError) {
                    let connection = try BusConnection.open(address: address, isMonitor: true)
                    try connection.becomeMonitor(Self.matchRules)
                    report(.ready("GSConnect, while it runs"))
                    while !waker.isAwake {
                        if try !connection.takeNext({ message in Self.texts(of: message).map { deliver(.texts($0)) } })
                        {
                            try connection.wait(waker)
                        }
                    }
                } catch {
                    report(.waiting("the session bus is missing, or refuses listeners: \(error)"))
                    waker.wait(atMost: retry)
                }
            }
        }
    }

    /// The texts of a notification: its body, then its title.
    private static func texts(of message: borrowing BusMessage) -> [SecretBytes]? {
        do throws(BusError) {
            let texts: [SecretBytes]
            switch (message.interface, message.member, message.signature) {
            case ("org.gtk.Notifications", "AddNotification", "ssa{sv}"):
                try message.skip("ss")
                texts = try members(of: message)
            case ("org.freedesktop.Notifications", "Notify", "susssasa{sv}i"):
                try message.skip("sus")
                let title = try message.readSecret()
                texts = [try message.readSecret(), title]
            default: return nil
            }
            let filled = texts.filter { $0.count > 0 }
            return filled.isEmpty ? nil : filled
        } catch {
            return nil
        }
    }

    private static func members(of message: borrowing BusMessage) throws(BusError) -> [SecretBytes] {
        var (body, title): (SecretBytes?, SecretBytes?)
        guard try message.enter(.array, "{sv}") else { return [] }
        while try message.enter(.entry, "sv") {
            switch try message.readText() {
            case "body": body = try message.readSecretVariant()
            case "title": title = try message.readSecretVariant()
            default: try message.skip("v")
            }
            try message.exit()
        }
        return [body, title].compactMap(\.self)
    }
}
