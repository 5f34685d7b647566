// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// A list with sections, drawn by whoever asked for it: a browser's window, a terminal, a desktop panel.
///
/// It is shown when `sections` is set, so a provider that has to load its credentials first leaves `sections`
/// empty-handed (`nil`) until then. All rows can be given at once: the list shows a hundred at a time, further ones when
/// the user asks for them, at most 500 together, and searches by itself. A provider whose vault is too big for that
/// searches in `onSearch` and loads in `onMore`.
@preconcurrency @MainActor
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

    /// What the list shows; `nil` while that is not known yet. A search that the list carries out itself goes on in
    /// what is set.
    open var sections: [Section]? {
        didSet {
            contents = ListContents(sections ?? [])
            contents.search(for: onSearch == nil ? searchText : "")
            listWindow.clamp(to: contents.count)
            interfaceDidChange()
        }
    }

    /// Whether the user can search.
    open var isSearchable = true {
        didSet { interfaceDidChange() }
    }

    /// Whether there are rows after those in `sections`, which `onMore` gets.
    open var hasMore = false {
        didSet { interfaceDidChange() }
    }

    /// Called when the user has chosen a row.
    open var onSelect: ((Row) -> Void)?

    /// Called when the user searches, with an empty text when the search is over. Who sets it puts what was found into
    /// `sections`; where it is `nil` the list looks for the words in titles and subtitles itself, whatever their case
    /// and accents.
    open var onSearch: ((String) -> Void)?

    /// Called when the user wants to see more than there is in `sections` while `hasMore` is true. Who sets it puts
    /// further rows at the end of `sections`.
    open var onMore: (() -> Void)?

    private var contents = ListContents([])
    private var listWindow = ListWindow()
    private var searchText = ""
    private var names: [Row: Int] = [:]
    private var lastName = 0
    private var shown: [String: Row] = [:]

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        guard sections != nil else { return nil }
        let lines = listWindow.show(contents.costs, in: room)
        return InterfaceElement(
            kind: "list",
            id: elementName,
            sections: state(lines),
            search: isSearchable,
            more: lines.upperBound < contents.count || hasMore
        )
    }

    override func response(to act: InterfaceAct) throws(WireError) -> (() -> Void) {
        switch act.action {
        case "select":
            guard let row = act.row.flatMap({ shown[$0] }) else {
                throw WireError(.notFound, "This row no longer exists.")
            }
            return { [self] in onSelect?(row) }
        case "search" where isSearchable:
            guard let text = act.text, text.bytes.count <= InterfaceStatement.textLimit else {
                throw WireError(.invalidParams, "A search has a text of at most \(InterfaceStatement.textLimit) bytes.")
            }
            return { [self] in search(for: SecretText(text.bytes).unsafeString()) }
        case "more": return { [self] in showMore() }
        default: return try super.response(to: act)
        }
    }

    private func search(for text: String) {
        searchText = text
        listWindow = ListWindow()
        if let onSearch {
            onSearch(text)
        } else {
            contents.search(for: text)
        }
        interfaceDidChange()
    }

    private func showMore() {
        let isAtEnd = listWindow.shown.upperBound >= contents.count
        guard !isAtEnd || hasMore else { return }
        listWindow.advance(contents.costs)
        interfaceDidChange()
        if isAtEnd { onMore?() }
    }

    /// The lines as they travel. A row keeps its name as long as it is shown, wherever it moves, so that a choice is
    /// never taken for that of another row; the provider's own names stay with it.
    private func state(_ lines: Range<Int>) -> [ListSection] {
        var fresh: [Row: Int] = [:]
        var occurrences: [Int: Int] = [:]
        shown = [:]
        let stated = contents.grouped(lines).map { section in
            ListSection(
                title: section.title.inInterface,
                rows: section.rows.map { row in
                    let name = fresh[row] ?? names[row] ?? lastName + 1
                    lastName = max(lastName, name)
                    fresh[row] = name
                    occurrences[name, default: 0] += 1
                    let place = occurrences[name] ?? 1
                    let identifier = place == 1 ? "\(name)" : "\(name).\(place)"
                    shown[identifier] = row
                    return ListRow(id: identifier, title: row.title.inInterface, subtitle: row.subtitle.inInterface)
                }
            )
        }
        names = fresh
        return stated
    }
}
