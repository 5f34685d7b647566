// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import ShownText

/// A notification of the desktop with buttons (Desktop Notifications Specification 1.2). The server that shows it, and what keeps its
/// history, can read it.
package struct DesktopNotification: Sendable, Equatable {
    /// The meaning of a button.
    package enum Choice: Sendable, Equatable {
        case agree
        /// No. On a notification about something that was done without a question, it undoes that.
        case refuse
        case never
        /// Shows the question in its window. A press on the notification itself means this, too.
        case show
    }

    package struct Button: Sendable, Equatable {
        package var choice: Choice
        package var label: DisplayText

        package init(_ choice: Choice, _ label: DisplayText) {
            self.choice = choice
            self.label = label
        }
    }

    package var title: DisplayText
    /// One line each.
    package var lines: [DisplayText]
    package var buttons: [Button]
    /// Whether it stays until it is answered, and not as long as the server likes.
    package var stays: Bool

    package init(title: DisplayText, lines: [DisplayText], buttons: [Button], stays: Bool = true) {
        self.stays = stays
        self.title = title
        self.lines = lines
        self.buttons = buttons
    }
}

/// Shows notifications of the desktop.
package protocol NotificationShowing: Sendable {
    /// Shows a notification until the user has chosen. A cancelled task takes it back.
    ///
    /// - Returns: `nil` where the user has waved it away, where it was taken back, or where no notification can have buttons.
    func choice(for notification: DesktopNotification) async -> DesktopNotification.Choice?

    /// Whether what shows notifications runs, and draws buttons.
    func haveButtons() async -> Bool

    /// Takes all notifications back, and returns when they are gone: what they name is not for a locked screen.
    func takeBackAll() async
}
