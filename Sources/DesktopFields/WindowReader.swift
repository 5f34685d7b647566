// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import FormAnalysis
package import MainLoop

/// A field of a window, with what it is for.
package struct WindowField: Sendable {
    package let ref: Int
    package let object: AccessibleObject
    package let role: FieldRole
    /// Whether the toolkit hides what is typed.
    package let isSecure: Bool
}

/// A form in a window that signs in, sets a new password or asks for a code.
package struct WindowForm: Sendable {
    /// The window around it.
    package let window: AccessibleObject
    /// The page that is the whole window; `nil` for a form of the toolkit's own widgets.
    let document: AccessibleObject?
    /// The fields to be filled, all of one process.
    package let fields: [WindowField]
    /// The field that has the focus.
    package let focused: AccessibleObject
    /// The field for the user name, also where it is not filled.
    package let userName: AccessibleObject?
    /// The field that the form labels as one for a server.
    package let server: AccessibleObject?

    /// Whether the focus is in a field for a new password.
    package var wantsNewPassword: Bool { fields.contains { $0.role == .newPassword } }

    /// The field for the password that signs in, or for the new one.
    package var password: WindowField? {
        fields.first { $0.isSecure && [.currentPassword, .newPassword].contains($0.role) }
    }

    /// The same, where its program says what is typed into it.
    @DesktopActor package var readablePassword: AccessibleObject? {
        document == nil && focused.isOfGTK4 ? password?.object : nil
    }

    /// Whether its fields take keys only.
    package var takesKeys: Bool { document != nil }

    /// Whether both are the same fields, for the same, in the same window and page.
    @DesktopActor func isSame(as other: WindowForm) -> Bool {
        window.isSame(as: other.window) && document?.path == other.document?.path
            && fields.count == other.fields.count
            && zip(fields, other.fields).allSatisfy {
                $0.object.isSame(as: $1.object) && $0.role == $1.role && $0.isSecure == $1.isSecure
            }
    }

    /// Whether an object is in the same window, and in the same page, as the form was.
    @DesktopActor func holds(_ object: AccessibleObject) -> Bool {
        guard let document else { return WindowReader.window(around: object)?.isSame(as: window) == true }
        guard let page = AppPage(around: object) else { return false }
        return page.window.isSame(as: window) && page.document.isSame(as: document)
    }
}

/// Why nothing is offered at a field.
package enum NoForm: String, Error, Sendable {
    case notAField = "it is not a field for one line of text"
    case gone = "it does not answer, or is gone"
    case behind = "its window is not in front"
    case noWindow = "no window of the program itself is around it"
    case notListed = "its window does not list it"
    case tooSlow = "the program answers too slowly"
    case visitor = "the page around it is not the whole of its program's window"
    case noFill = "its fields take no text through the accessibility bus"
    case noSignIn = "it is not part of a form that signs in"
}

/// Reads the form around a field from the accessibility bus, within bounds: a program can claim any number of objects.
@DesktopActor package struct WindowReader {
    private static let objectLimit = 600
    private static let childLimit = 200
    private static let depthLimit = 40
    private static let fieldLimit = 40
    private static let buttonLimit = 12
    /// How long one form may take.
    static let patience = Duration.milliseconds(400)
    /// How long one form of a page may take.
    static let pagePatience = Duration.milliseconds(1_500)
    /// How long looking at a form again and writing into it may take.
    private static let writePatience = Duration.seconds(5)

    /// Whether fields that take keys only count, because keys can be pressed here.
    private let hasKeys: Bool
    let now: @Sendable () -> ContinuousClock.Instant

    package nonisolated init(
        hasKeys: Bool = false, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.hasKeys = hasKeys
        self.now = now
    }

    /// How long one answer may take then. The user has chosen, so a program that is held up for a moment is waited for.
    private static let writeAnswerPatience = Duration.seconds(2)

    /// Begins to ask a program, which has this long for all of its answers.
    func begin(on object: AccessibleObject) {
        object.ask(until: now() + Self.writePatience, each: Self.writeAnswerPatience)
    }

    func end(on object: AccessibleObject) { object.ask(until: nil) }

    /// A field as it was when the window was read.
    struct FoundField {
        let object: AccessibleObject
        let role: AccessibleRole
        let place: AccessibleObject.Place
    }

    /// A window as it was read, with what its fields are for.
    struct AnalyzedWindow {
        let window: AccessibleObject
        /// The page that the field is in; `nil` for a form of the toolkit's own widgets.
        let page: AppPage?
        let fields: [FoundField]
        let descriptions: [FieldDescription]
        let analysis: PageAnalysis
        /// The index of the field that has the focus.
        let focused: Int
        /// Until when the program may be asked about it.
        let deadline: ContinuousClock.Instant
    }

    /// The form around the field that has the focus.
    package func form(around focused: AccessibleObject) throws(NoForm) -> WindowForm {
        focused.ask(until: now() + Self.patience)
        defer { focused.ask(until: nil) }
        return try form(around: focused, in: analyzed(around: focused))
    }

    /// Reads the window around a field.
    func analyzed(around focused: AccessibleObject) throws(NoForm) -> AnalyzedWindow {
        var deadline = now() + Self.patience
        // Most objects that get the focus are no fields; they cost one round of questions.
        focused.foresee([.role, .states, .parent])
        guard let role = focused.role else { throw .gone }
        guard role.isField else { throw .notAField }
        guard let states = focused.states else { throw .gone }
        guard !states.contains(.multiLine) else { throw .notAField }
        let own = Self.window(around: focused)
        let page = own == nil ? AppPage(around: focused) : nil
        guard let window = own ?? page?.window else { throw .noWindow }
        if page != nil {
            // A page has more objects than a window of widgets, and so has what is around it.
            deadline = now() + Self.pagePatience
            focused.ask(until: deadline)
        }
        var reading = Reading(focused: focused, isOfPage: page != nil)
        let top = page?.document ?? window
        reading.seen.insert(top.path)
        guard let role = top.role else { throw .gone }
        try read(top, role, depth: 0, into: &reading, until: deadline)
        // As the user reads them; a program lists them in any order.
        reading.fields.sort { ($0.place.y, $0.place.x) < ($1.place.y, $1.place.x) }
        guard let index = reading.fields.firstIndex(where: { $0.object.isSame(as: focused) }) else {
            // A program that was held up may not have said all; of a large or unusual window not all is read.
            throw .notListed
        }
        var descriptions: [FieldDescription] = []
        for field in reading.fields {
            descriptions.append(describe(field, reading.labels))
            guard now() <= deadline else { throw .tooSlow }
        }
        let description = PageDescription(
            fields: descriptions, outsideForms: FormContext(buttons: reading.buttons.map { PageText($0) }),
            title: window.name)
        return AnalyzedWindow(
            window: window, page: page, fields: reading.fields, descriptions: descriptions,
            analysis: FormAnalyzer().analyze(description), focused: index, deadline: deadline)
    }

    /// The form in a window that was read.
    func form(around focused: AccessibleObject, in read: AnalyzedWindow) throws(NoForm) -> WindowForm {
        let (analysis, index) = (read.analysis, read.focused)
        guard let wanted = analysis.fields[index].role, Self.isAsked(for: wanted, analysis, index) else {
            throw .noSignIn
        }
        // Into a page only what signs in is typed.
        guard read.page == nil || Self.signsIn(wanted) else { throw .noSignIn }
        let fields = Set(analysis.companions(of: index) + [index]).sorted().compactMap { place -> WindowField? in
            guard let role = analysis.fields[place].role, read.page == nil || Self.signsIn(role) else { return nil }
            let field = read.fields[place]
            return WindowField(ref: place, object: field.object, role: role, isSecure: field.role == .passwordText)
        }
        // A name alone is filled where the window asks for a password next; without either word it may be any field.
        guard
            wanted != .username || fields.contains(where: \.role.isPassword) || analysis.fields[index].confidence >= 0.8
        else { throw .noSignIn }
        guard read.page.map({ _ in hasKeys }) ?? fields.allSatisfy(\.object.takesText) else { throw .noFill }
        let form = analysis.forms.first { $0.fields.contains(index) }
        let name = form?.fields.last { analysis.fields[$0].role == .username }
        let server = read.fields.indices.first { place in
            analysis.fields[place].role == nil && read.fields[place].role != .passwordText
                && Self.isServer(read.descriptions[place].label)
        }
        // Last, because it looks at the whole window.
        if let page = read.page, !page.fillsWindow(until: { now() > read.deadline }) {
            throw now() > read.deadline ? .tooSlow : .visitor
        }
        return WindowForm(
            window: read.window, document: read.page?.document, fields: fields, focused: focused,
            userName: name.map { read.fields[$0].object },
            server: server.map { read.fields[$0].object })
    }

    private static func signsIn(_ role: FieldRole) -> Bool { role == .username || role == .currentPassword }

    /// Whether the form is one that asks for what has this role.
    private static func isAsked(for role: FieldRole, _ analysis: PageAnalysis, _ index: Int) -> Bool {
        guard !role.isOfAccount else {
            guard let form = analysis.forms.first(where: { $0.fields.contains(index) }) else { return true }
            return ![.signUp, .oneTimeCode, .none].contains(form.kind)
        }
        return true
    }

    /// Whether a label is that of a field for a server's name.
    nonisolated static func isServer(_ label: String) -> Bool {
        let words = label.prefix(64).lowercased().split { !$0.isLetter }
        return !words.isEmpty && words.count <= 3
            && words.contains { ["server", "host", "hostname", "site", "domain"].contains($0) }
    }

    /// The field of a program that has the focus, looked for in its windows; `nil` if it is in none of them, or not soon found.
    package func focusedField(of program: AccessibleObject) -> AccessibleObject? {
        let deadline = now() + Self.patience
        program.ask(until: deadline)
        defer { program.ask(until: nil) }
        var waiting = program.children(atMost: 16)
        var count = 0
        while !waiting.isEmpty, count < Self.objectLimit, now() <= deadline {
            let object = waiting.removeFirst()
            count += 1
            guard object.busName == program.busName, let role = object.role else { continue }
            if role.isField {
                if object.states?.contains(.focused) == true { return object }
            } else if !Self.passedOver.contains(role), !role.isDocument || hasKeys && role == .documentWeb {
                waiting += object.children(atMost: Self.childLimit)
            }
        }
        return nil
    }

    // MARK: The window

    /// The roles of what a window manager draws a frame around.
    private static let windows: Set<AccessibleRole> = [.frame, .dialog, .window, .alert]

    /// The window around an object, of the same process.
    static func window(around object: AccessibleObject) -> AccessibleObject? {
        var (current, found): (AccessibleObject, AccessibleObject?) = (object, nil)
        for _ in 0..<depthLimit {
            guard let parent = current.parent, parent.busName == object.busName else { return found }
            parent.foresee([.role, .parent])
            guard let role = parent.role else { return found }
            if role == .application {
                // Qt calls a window that is a plain QWidget a filler.
                return found ?? (current.isSame(as: object) ? nil : current)
            }
            if role.isDocument { return nil }
            if windows.contains(role) { found = parent }
            current = parent
        }
        return nil
    }

    /// What was found in a window so far. Places are those on the screen: Qt 5 states others wrongly in a window that is a dialog.
    private struct Reading {
        let focused: AccessibleObject
        /// A page's labels hold their fields, and name them.
        let isOfPage: Bool
        var fields: [FoundField] = []
        var labels: [(text: String, place: AccessibleObject.Place)] = []
        var buttons: [String] = []
        var count = 0
        /// The paths of what was found: a program may name an object twice, or have one hold itself.
        var seen: Set<String> = []
    }

    /// The roles of what may hold thousands of objects and no form.
    private static let passedOver: Set<AccessibleRole> = [
        .menuBar, .menu, .tree, .treeTable, .table, .list, .listBox, .terminal, .comboBox,
    ]

    private func read(
        _ object: AccessibleObject, _ role: AccessibleRole, depth: Int, into reading: inout Reading,
        until deadline: ContinuousClock.Instant
    ) throws(NoForm) {
        guard depth < Self.depthLimit, reading.count < Self.objectLimit else { return }
        guard now() <= deadline else { throw .tooSlow }
        reading.count += 1
        if role.isField {
            if reading.fields.count < Self.fieldLimit, isFillable(object) || object.isSame(as: reading.focused) {
                let place = object.place(onScreen: true) ?? .init(x: 0, y: 0, width: 0, height: 0)
                reading.fields.append(FoundField(object: object, role: role, place: place))
            }
            return
        }
        switch role {
        case .label where !reading.isOfPage:
            if reading.labels.count < Self.objectLimit, object.states?.contains(.visible) == true,
                let place = object.place(onScreen: true), case let name = object.name, !name.isEmpty
            {
                reading.labels.append((name, place))
            }
            return
        case .pushButton:
            if reading.buttons.count < Self.buttonLimit { reading.buttons.append(object.name) }
            return
        default: break
        }
        guard Self.isOpened(role) || depth == 0 else { return }
        // What another process draws inside this window is not this program's.
        let children = object.children(atMost: min(Self.childLimit, Self.objectLimit - reading.count))
            .filter { $0.busName == reading.focused.busName && reading.seen.insert($0.path).inserted }
        object.foresee(children.map { ($0, .role) })
        let known = children.compactMap { child in child.role.map { (child, $0) } }
        guard now() <= deadline else { throw .tooSlow }
        let isOfPage = reading.isOfPage
        object.foresee(known.flatMap { child, role in Self.questions(about: role, isOfPage).map { (child, $0) } })
        for (child, role) in known { try read(child, role, depth: depth + 1, into: &reading, until: deadline) }
    }

    /// Whether there may be fields in an object of this role that belong to the window around it.
    private static func isOpened(_ role: AccessibleRole) -> Bool { !passedOver.contains(role) && !role.isDocument }

    /// What an object is asked when it is read.
    private static func questions(about role: AccessibleRole, _ isOfPage: Bool) -> [Question] {
        if role.isField {
            return [.states, .place(onScreen: true), .relations, .name, .identifier, .attributes, .interfaces]
        }
        switch role {
        case .label where !isOfPage: return [.states, .place(onScreen: true), .name]
        case .pushButton: return [.name]
        default: return isOpened(role) ? [.children] : []
        }
    }

    /// Whether the user can see a field and type into it. GTK 4 does not say of its fields that they are showing.
    func isFillable(_ object: AccessibleObject) -> Bool {
        guard let states = object.states, states.isSuperset(of: [.editable, .visible]),
            states.isDisjoint(with: [.multiLine, .readOnly]), !states.isDisjoint(with: [.sensitive, .enabled])
        else { return false }
        return states.contains(.showing) || object.isOfGTK4
    }

    // MARK: Fields

    private func describe(
        _ found: FoundField, _ labels: [(text: String, place: AccessibleObject.Place)]
    ) -> FieldDescription {
        let field = found.object
        let stated = field.labels.map(\.name).filter { !$0.isEmpty }
        var label = stated.isEmpty ? field.name : stated.joined(separator: " ")
        if label.isEmpty || Self.isClassName(label) { label = Self.nearest(to: found.place, labels) ?? label }
        let identifier = field.identifier
        return FieldDescription(
            NativeField(
                role: found.role == .passwordText ? "password text" : "entry",
                contentType: Self.contentTypes.contains(identifier) ? identifier : "", label: label,
                placeholder: field.attribute("placeholder-text"), identifier: identifier))
    }

    /// The accessible identifiers by which a program's author says what a field is for: the names of `UITextContentType`.
    private nonisolated static let contentTypes: Set<String> = [
        "username", "emailAddress", "password", "newPassword", "oneTimeCode",
    ]

    /// Whether a name is that of a class, such as `GtkEntry`: GTK 4 gives a widget that nobody has named the name of its class.
    nonisolated static func isClassName(_ name: String) -> Bool {
        let letters = Array(name.utf8)
        guard let first = letters.first, (0x41...0x5A).contains(first),
            name.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x30...0x39).contains($0) })
        else { return false }
        return zip(letters, letters.dropFirst()).contains { (0x61...0x7A).contains($0) && (0x41...0x5A).contains($1) }
    }

    /// The label to the left of a field in its row, or else the one right above it.
    nonisolated static func nearest(
        to field: AccessibleObject.Place, _ labels: [(text: String, place: AccessibleObject.Place)]
    ) -> String? {
        let middle = field.y + field.height / 2
        let left = labels.filter { label in
            (label.place.y...max(label.place.y, label.place.y + label.place.height)).contains(middle)
                && label.place.x < field.x
        }.max { $0.place.x < $1.place.x }
        if let left { return left.text }
        return labels.filter { label in
            let gap = field.y - (label.place.y + label.place.height)
            return (-2...40).contains(gap) && label.place.x < field.x + field.width
                && label.place.x + label.place.width > field.x
        }.max { $0.place.y < $1.place.y }?.text
    }
}

extension FieldRole {
    /// Whether what is filled is the name or the present password of an account.
    fileprivate var isOfAccount: Bool { self == .username || self == .currentPassword }
}
