// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import MainLoop

extension WindowForm {
    /// Where the field with the focus is, in the screen's pixels.
    ///
    /// GTK 4 knows places in the window only. GTK tells places in its own pixels, each of which is several of the screen's on a display with
    /// many; other toolkits tell the screen's. The window's own width, which is told in the same pixels, says how many.
    ///
    /// - Parameter front: Where the window in front begins, and its width, in the screen's pixels.
    @DesktopActor package func screenPlace(front: (x: Int32, y: Int32, width: Int32)?) -> AccessibleObject.Place? {
        let isInWindow = focused.isOfGTK4
        guard var place = focused.place(onScreen: !isInWindow) else { return nil }
        let told = window.place(onScreen: !isInWindow)?.width ?? 0
        let scale = Self.scale(told: told, real: front?.width ?? 0)
        (place.x, place.y) = (place.x * scale, place.y * scale)
        (place.width, place.height) = (place.width * scale, place.height * scale)
        guard isInWindow else { return place }
        guard let front else { return nil }
        place.x += front.x
        place.y += front.y
        return place
    }

    /// The number of the screen's pixels in one of a program's, given a width in both. A window's rim and shadow make it inexact.
    static func scale(told: Int32, real: Int32) -> Int32 {
        guard told > 0, real > 0 else { return 1 }
        return min(4, max(1, (real + told / 2) / told))
    }
}
