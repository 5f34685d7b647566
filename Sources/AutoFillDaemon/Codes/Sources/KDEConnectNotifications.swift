// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Notifications of phones, by KDE Connect (`org.kde.kdeconnect.device.notifications`).
struct KDEConnectNotifications: BusCodeListening {
    private static let notifications = "org.kde.kdeconnect.device.notifications"
    private static let folder = "/modules/kdeconnect/devices/"

    let origin = CodeOrigin.kdeConnect
    let bus = Bus.session
    let service = "org.kde.kdeconnect"
    let title = "KDE Connect"

    var matchRules: [String] {
        ["notificationPosted", "notificationUpdated"].map {
            "type='signal',sender='\(service)',interface='\(Self.notifications)',member='\($0)'"
        }
    }

    /// Each notification is an object below that of the device's notifications, called by its number.
    mutating func objects(after signal: BusSignal) -> [String] {
        guard signal.interface == Self.notifications,
            signal.member == "notificationPosted" || signal.member == "notificationUpdated",
            signal.path.hasPrefix(Self.folder), signal.path.hasSuffix("/notifications"),
            case .text(let name) = signal.body, (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
            })
        else { return [] }
        return [signal.path + "/" + name]
    }

    func texts(of path: String, on connection: borrowing BusConnection) throws(BusError) -> [SecretBytes] {
        var texts: [SecretBytes] = []
        // The ticker is sender and text in one; the title is the sender, or the subject of a mail.
        for name in ["text", "ticker", "title"] {
            let text = try connection.text(name, Self.notifications + ".notification", of: path, service)
            if let text, text.count > 0 { texts.append(text) }
        }
        return texts
    }
}
