// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import MainLoop

/// Tells which object of which program has the focus.
@DesktopActor package final class FocusWatcher {
    package enum Event: Sendable {
        /// An object has got the focus.
        case focused(AccessibleObject)
        /// A program has joined the bus. It may have told of its first focus before it knew that anybody listens.
        case joined(AccessibleObject)
        /// A window is no longer in front, or gone.
        case windowLeft(AccessibleObject)
        /// The bus itself is gone.
        case busEnded
        /// The program with this connection is gone.
        case ended(String)
    }

    private let bus: AccessibilityBus
    private let tell: @DesktopActor (Event) -> Void

    /// Joins the accessibility bus.
    ///
    /// - Returns: `nil` if there is no such bus.
    package init?(tell: @escaping @DesktopActor (Event) -> Void) {
        guard let bus = AccessibilityBus() else { return nil }
        self.bus = bus
        self.tell = tell
    }

    /// The programs that are on the bus already.
    package var programs: [AccessibleObject] { bus.desktop.children(atMost: 200) }

    /// Begins to watch. Returns whether programs will tell of their focus.
    package func start() -> Bool {
        let objects = "org.a11y.atspi.Event.Object"
        let windows = "org.a11y.atspi.Event.Window"
        let object = { @DesktopActor [bus] (event: AccessibilityBus.Event) in
            AccessibleObject(bus, event.sender, event.path)
        }
        bus.whenGone { [tell] in tell(.busEnded) }
        bus.listenToEnds { [tell] in tell(.ended($0)) }
        bus.listenToPrograms { [tell] in tell(.joined(object($0))) }
        for member in ["Deactivate", "Destroy"] {
            let isHeard = bus.listen(
                to: "window:" + member.lowercased(), interface: windows, member: member, detail: nil
            ) { [tell] in tell(.windowLeft(object($0))) }
            guard isHeard else { return false }
        }
        return bus.listen(
            to: "object:state-changed:focused", interface: objects, member: "StateChanged", detail: "focused"
        ) { [tell] event in
            if event.detail == 1 { tell(.focused(object(event))) }
        }
    }
}
