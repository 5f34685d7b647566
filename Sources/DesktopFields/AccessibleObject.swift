// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import CGIO
package import MainLoop

/// What an object is, by AT-SPI's numbers (`AtspiRole`); only those that matter here have a name.
struct AccessibleRole: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    static let alert = AccessibleRole(rawValue: 2)
    static let comboBox = AccessibleRole(rawValue: 11)
    static let dialog = AccessibleRole(rawValue: 16)
    static let frame = AccessibleRole(rawValue: 23)
    static let label = AccessibleRole(rawValue: 29)
    static let list = AccessibleRole(rawValue: 31)
    static let menu = AccessibleRole(rawValue: 33)
    static let menuBar = AccessibleRole(rawValue: 34)
    static let pageTab = AccessibleRole(rawValue: 37)
    static let passwordText = AccessibleRole(rawValue: 40)
    static let pushButton = AccessibleRole(rawValue: 43)
    static let table = AccessibleRole(rawValue: 55)
    static let terminal = AccessibleRole(rawValue: 60)
    static let text = AccessibleRole(rawValue: 61)
    static let toolBar = AccessibleRole(rawValue: 63)
    static let tree = AccessibleRole(rawValue: 65)
    static let treeTable = AccessibleRole(rawValue: 66)
    static let window = AccessibleRole(rawValue: 69)
    static let application = AccessibleRole(rawValue: 75)
    static let entry = AccessibleRole(rawValue: 79)
    static let documentWeb = AccessibleRole(rawValue: 95)
    static let listBox = AccessibleRole(rawValue: 98)

    /// Whether it holds a document: a page, a mail. What is in it was written by somebody else than the program's author.
    var isDocument: Bool {
        let htmlContainer: UInt32 = 25
        let internalFrame: UInt32 = 28
        // Document frame, spreadsheet, presentation, text, web, email.
        return [htmlContainer, internalFrame, 82, 92, 93, 94, 95, 96].contains(rawValue)
    }

    /// Whether it can be a field for text.
    var isField: Bool { [.entry, .text, .passwordText].contains(self) }
}

/// States of an object, by AT-SPI's numbers (`AtspiStateType`).
struct AccessibleStates: OptionSet, Sendable {
    let rawValue: UInt64

    static let active = AccessibleStates(rawValue: 1 << 1)
    static let editable = AccessibleStates(rawValue: 1 << 7)
    static let enabled = AccessibleStates(rawValue: 1 << 8)
    static let focused = AccessibleStates(rawValue: 1 << 12)
    static let multiLine = AccessibleStates(rawValue: 1 << 17)
    static let sensitive = AccessibleStates(rawValue: 1 << 24)
    static let showing = AccessibleStates(rawValue: 1 << 25)
    static let visible = AccessibleStates(rawValue: 1 << 30)
    static let readOnly = AccessibleStates(rawValue: 1 << 43)
}

/// An object of another program on the accessibility bus. Each question is a call to that program, which may be slow, wrong, or gone:
/// then the answer is `nil`.
@DesktopActor package struct AccessibleObject: Sendable {
    nonisolated static let accessible = "org.a11y.atspi.Accessible"
    nonisolated static let component = "org.a11y.atspi.Component"
    private static let editableText = "org.a11y.atspi.EditableText"
    static let application = "org.a11y.atspi.Application"

    private let bus: AccessibilityBus
    /// The bus's own name for the program's connection. The bus gives a name to one connection only, and never again.
    package let busName: String
    /// The name of the object on its program's connection. The program decides it.
    package let path: String

    init(_ bus: AccessibilityBus, _ busName: String, _ path: String) {
        self.bus = bus
        self.busName = busName
        self.path = path
    }

    package func isSame(as other: AccessibleObject) -> Bool { busName == other.busName && path == other.path }

    /// The process behind the connection, as the bus says.
    package var process: Int32? { bus.process(of: busName) }

    /// Until when its program is asked anything; `nil` for no end.
    func ask(until deadline: ContinuousClock.Instant?, each patience: Duration = AccessibilityBus.patience) {
        bus.ask(until: deadline, each: patience)
    }

    // MARK: Description

    private func key(_ question: Question) -> ForeseenAnswers.Key {
        .init(name: busName, path: path, question: question)
    }

    func ask(_ question: Question) -> Variant? { bus.answer(to: key(question)) }

    /// Asks questions now that are going to be asked.
    func foresee(_ questions: [Question]) { bus.foresee(questions.map(key)) }

    /// The same of many objects of this one's bus.
    func foresee(_ questions: [(object: AccessibleObject, question: Question)]) {
        bus.foresee(questions.map { $0.object.key($0.question) })
    }

    func ask(_ method: String, of interface: String = accessible, _ arguments: [OpaquePointer?] = [])
        -> Variant?
    {
        bus.call(busName, path, interface, method, arguments)
    }

    func property(_ name: String, of interface: String = accessible, at path: String? = nil) -> Variant? {
        bus.call(
            busName, path ?? self.path, "org.freedesktop.DBus.Properties", "Get",
            [g_variant_new_string(interface), g_variant_new_string(name)])?[0]?[0]
    }

    var role: AccessibleRole? { ask(.role)?[0]?.unsigned.map(AccessibleRole.init) }
    package var name: String { ask(.name)?[0]?[0]?.text() ?? "" }
    /// The name that the program's code has for it.
    var identifier: String { ask(.identifier)?[0]?[0]?.text() ?? "" }

    /// The states that hold now.
    var states: AccessibleStates? {
        guard let answer = ask(.states), let words = answer[0], let low = words[0]?.unsigned else { return nil }
        return AccessibleStates(rawValue: UInt64(low) | UInt64(words[1]?.unsigned ?? 0) << 32)
    }

    /// Whether the object is known to be gone: its program says so, or has left the bus. A program that does not answer in time may still
    /// have the object, so this is `false` then.
    package var isGone: Bool { bus.isGone(busName, path) }

    /// Whether it has the focus now.
    package var hasFocus: Bool { states?.contains(.focused) == true }

    /// The value of an attribute such as `placeholder-text`.
    func attribute(_ name: String) -> String {
        guard let answer = ask(.attributes), let entries = answer[0] else { return "" }
        for index in 0..<min(entries.count, 64) {
            if let entry = entries[index], entry[0]?.text() == name { return entry[1]?.text() ?? "" }
        }
        return ""
    }

    /// The object that stands for its whole program.
    package var program: AccessibleObject { AccessibleObject(bus, busName, Self.root) }

    static let root = "/org/a11y/atspi/accessible/root"

    /// Whether its program is built on GTK 4.
    package var isOfGTK4: Bool {
        let root = Self.root
        guard property("ToolkitName", of: Self.application, at: root)?.text()?.lowercased() == "gtk" else {
            return false
        }
        return property("Version", of: Self.application, at: root)?.text()?.hasPrefix("4") == true
    }

    /// The objects that label it.
    var labels: [AccessibleObject] {
        let labelledBy: UInt32 = 2
        guard let answer = ask(.relations), let relations = answer[0] else { return [] }
        var labels: [AccessibleObject] = []
        for index in 0..<min(relations.count, 16) {
            guard let relation = relations[index], relation[0]?.unsigned == labelledBy, let targets = relation[1] else {
                continue
            }
            for target in 0..<min(targets.count, 4) {
                if let target = targets[target], let label = neighbour(target) { labels.append(label) }
            }
        }
        return labels
    }

    /// A place in pixels.
    package struct Place: Equatable, Sendable {
        package var x: Int32
        package var y: Int32
        package var width: Int32
        package var height: Int32
    }

    /// Where it is, in the window or on the screen.
    func place(onScreen: Bool) -> Place? {
        guard let answer = ask(.place(onScreen: onScreen)),
            let place = answer[0], let x = place[0]?.signed, let y = place[1]?.signed, let width = place[2]?.signed,
            let height = place[3]?.signed
        else { return nil }
        let bounds: ClosedRange<Int32> = -100_000...100_000
        guard [x, y, width, height].allSatisfy(bounds.contains) else { return nil }
        return Place(x: x, y: y, width: width, height: height)
    }

    // MARK: Neighbours

    /// An object that the program refers to, by a connection and a path.
    private func neighbour(_ reference: borrowing Variant) -> AccessibleObject? {
        guard let name = reference[0]?.text(), let path = reference[1]?.text(), name.hasPrefix(":"),
            path != "/org/a11y/atspi/null", g_variant_is_object_path(path) != 0, g_dbus_is_unique_name(name) != 0
        else { return nil }
        return AccessibleObject(bus, name, path)
    }

    var parent: AccessibleObject? {
        guard let reference = ask(.parent)?[0]?[0] else { return nil }
        return neighbour(reference)
    }

    /// Its children, `limit` at most: a program can claim any number.
    func children(atMost limit: Int) -> [AccessibleObject] {
        guard let answer = ask(.children), let references = answer[0] else { return [] }
        var children: [AccessibleObject] = []
        for index in 0..<min(references.count, limit) {
            if let reference = references[index], let child = neighbour(reference) { children.append(child) }
        }
        return children
    }

    // MARK: Text

    private static let text = "org.a11y.atspi.Text"

    /// What stands in a field that hides nothing; empty where it does not say, or has more than `limit` characters.
    package func shownText(atMost limit: Int32 = 256) -> String {
        guard role != .passwordText,
            let count = bus.call(
                busName, path, "org.freedesktop.DBus.Properties", "Get",
                [g_variant_new_string(Self.text), g_variant_new_string("CharacterCount")])?[0]?[0]?.signed,
            (1...limit).contains(count)
        else { return "" }
        return ask("GetText", of: Self.text, [g_variant_new_int32(0), g_variant_new_int32(count)])?[0]?.text() ?? ""
    }

    /// Whether a field that hides its text is there.
    package enum Presence {
        case there
        /// Its program does not answer.
        case unknown
        /// The field, or its program, is gone or no longer shown.
        case gone
    }

    package var presence: Presence {
        if isGone { return .gone }
        guard let states, let role else { return .unknown }
        return states.contains(.visible) && role == .passwordText ? .there : .gone
    }

    /// What is known of what the user types into a field that hides it.
    package enum Typed {
        case text(SecretBytes)
        case nothing
        /// Its program does not answer, or more stands in it than a password has.
        case unknown
        case gone
    }

    /// What stands in a field that hides it from people. Of the toolkits, GTK 4 alone says so.
    package var typed: Typed {
        switch presence {
        case .gone: return .gone
        case .unknown: return .unknown
        case .there: break
        }
        guard
            let count = bus.call(
                busName, path, "org.freedesktop.DBus.Properties", "Get",
                [g_variant_new_string(Self.text), g_variant_new_string("CharacterCount")])?[0]?[0]?.signed
        else { return .unknown }
        guard count != 0 else { return .nothing }
        guard (1...512).contains(count) else { return .unknown }
        let text = ask("GetText", of: Self.text, [g_variant_new_int32(0), g_variant_new_int32(count)])
        return text?[0]?.secret(atMost: 512).map(Typed.text) ?? .unknown
    }

    /// Runs a closure whenever its text has changed, until `stopListening`. The change is `nil` where the program does not say what it was.
    package func listenToText(_ told: @escaping @DesktopActor (TextChange?) -> Void) -> UInt32 {
        bus.listenToText(of: busName, path) { told($0.change) }
    }

    package func stopListening(_ subscription: UInt32) {
        bus.stop(subscription)
    }

    /// Whether a text can be put into it.
    var takesText: Bool {
        guard let answer = ask(.interfaces), let names = answer[0] else { return false }
        for index in 0..<min(names.count, 64) where names[index]?.text() == Self.editableText { return true }
        return false
    }

    /// Replaces its whole text. Returns whether the program said that it did; `nil` if it said nothing, and may do so later.
    ///
    /// - Parameter text: UTF-8 that ends with a zero byte.
    func replaceText(_ text: UnsafePointer<CChar>) -> Bool? {
        bus.call(
            busName, path, Self.editableText, "SetTextContents", [g_variant_new_string(text)], patience: .seconds(2))?[
                0]?
            .boolean
    }
}
