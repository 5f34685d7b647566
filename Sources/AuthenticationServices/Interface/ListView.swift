// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A list with sections, drawn by whoever asked for it: a browser's window, a terminal, a desktop panel.
///
/// A provider answers `prepareCredentialList(for:)` by putting one into its view. The list is sent when `sections` is
/// set, so a provider that has to load its credentials first leaves `sections` empty-handed (`nil`) until then.
@MainActor
open class ListView: UIView {
    /// One row.
    public struct Row: Hashable, Sendable {
        /// The provider's own name for what the row stands for; it never leaves the provider's process.
        public var identifier: String
        /// The first line: the user name, most often.
        public var title: String
        /// The second line: the service, most often.
        public var subtitle: String

        /// A row of two lines.
        public init(identifier: String, title: String, subtitle: String = "") {
            self.identifier = identifier
            self.title = title
            self.subtitle = subtitle
        }
    }

    /// Rows under a title.
    public struct Section: Hashable, Sendable {
        /// Stands above the rows; nothing is drawn for an empty one.
        public var title: String
        /// In the order in which they are shown.
        public var rows: [Row]

        /// A section of rows.
        public init(title: String, rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    /// What the list shows; `nil` while that is not known yet.
    open var sections: [Section]? {
        didSet { interfaceDidChange() }
    }

    /// Called when the user has chosen a row.
    open var onSelect: ((Row) -> Void)?
}
