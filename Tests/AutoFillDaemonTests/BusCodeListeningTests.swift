// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon

/// What the signals of a bus mean to the sources of codes.
@Suite struct BusCodeListeningTests {
    private func signal(
        _ interface: String, _ member: String, _ body: BusSignal.Body, path: String = "/x"
    ) -> BusSignal {
        BusSignal(sender: ":1.1", path: path, interface: interface, member: member, body: body)
    }

    @Test func aModemsMessageIsReadWhenItCameAndAgainWhenItIsWhole() {
        var messages = ModemMessages()
        let messaging = "org.freedesktop.ModemManager1.Modem.Messaging"
        let properties = "org.freedesktop.DBus.Properties"
        let changed = BusSignal.Body.properties(interface: "org.freedesktop.ModemManager1.Sms", flags: [:])
        #expect(messages.objects(after: signal(properties, "PropertiesChanged", changed, path: "/sms/1")) == [])
        let added = signal(messaging, "Added", .arrival(path: "/sms/1", isReceived: true))
        #expect(messages.objects(after: added) == ["/sms/1"])
        #expect(messages.objects(after: signal(properties, "PropertiesChanged", changed, path: "/sms/1")) == ["/sms/1"])
        #expect(messages.objects(after: signal(properties, "PropertiesChanged", changed, path: "/sms/2")) == [])
        // What this machine sends, and what is something else.
        let sent = signal(messaging, "Added", .arrival(path: "/sms/3", isReceived: false))
        #expect(messages.objects(after: sent) == [])
        #expect(messages.objects(after: signal(messaging, "Added", .other)) == [])
        #expect(messages.objects(after: signal("x", "Added", .arrival(path: "/sms/4", isReceived: true))) == [])
        #expect(messages.matchRules.allSatisfy { $0.contains("sender='org.freedesktop.ModemManager1'") })
    }

    @Test(arguments: ["", "a/b", "..", "x y", String(repeating: "1", count: 65), "é"])
    func aNotificationOfAnOddNameIsNotRead(name: String) {
        var notifications = KDEConnectNotifications()
        let interface = "org.kde.kdeconnect.device.notifications"
        let path = "/modules/kdeconnect/devices/d1/notifications"
        #expect(
            notifications.objects(after: signal(interface, "notificationPosted", .text("7"), path: path)) == [
                path + "/7"
            ])
        #expect(
            notifications.objects(after: signal(interface, "notificationPosted", .text(name), path: path)) == [])
        #expect(notifications.objects(after: signal(interface, "notificationRemoved", .text("7"), path: path)) == [])
        #expect(notifications.objects(after: signal(interface, "notificationPosted", .text("7"), path: "/etc")) == [])
        #expect(
            GSConnectNotifications.matchRules.allSatisfy {
                $0.contains("sender='org.gnome.Shell.Extensions.GSConnect'")
            })
    }
}
