// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// The state of an interface that uses the whole terminal: content, focus, and the effect of keys. Draws nothing itself.
package struct InterfaceScreen {
    /// The effect of a key, apart from a new picture.
    package enum Deed: Equatable {
        case act(InterfaceAct)
        case cancel
    }

    /// Time after a change of the focused element during which nothing can be activated.
    ///
    /// A key pressed in this time was meant for the element before.
    package static let armingTime = Duration.milliseconds(300)

    package let header: InterfaceHeader
    package private(set) var form = InterfaceForm()
    package private(set) var focus: InterfaceTarget?
    /// The digits of a number being typed.
    package private(set) var digits = ""
    private var armed: ContinuousClock.Instant?

    package init(header: InterfaceHeader) {
        self.header = header
    }

    /// Shows another interface. The focus stays on its element if that still exists.
    package mutating func show(_ interface: InterfaceStatement?, now: ContinuousClock.Instant) {
        let hadFocus = focus != nil
        form.show(interface)
        digits = ""
        let targets = form.targets
        if let focus, targets.contains(focus) { return }
        focus = targets.first
        if hadFocus { armed = now + Self.armingTime }
    }

    /// - Parameter rows: The number of rows in a page.
    package mutating func take(_ key: TerminalKey, now: ContinuousClock.Instant, rows: Int = 10) -> Deed? {
        if case .character(let scalar) = key { return type(scalar, now) }
        digits = key == .enter ? digits : ""
        switch key {
        case .interrupt, .escape: return .cancel
        case .up, .backTab: move(by: -1)
        case .down, .tab: move(by: 1)
        case .pageUp: move(by: -max(1, rows))
        case .pageDown: move(by: max(1, rows))
        case .home: focus = form.targets.first
        case .end: focus = form.targets.last
        case .enter: return enter(now)
        case .backspace: edit { $0.removeLast() }
        case .clearLine: edit { $0 = TypedText() }
        case .character: break
        }
        return nil
    }

    private mutating func type(_ scalar: Unicode.Scalar, _ now: ContinuousClock.Instant) -> Deed? {
        // Further digits continue a number even if its first digit has moved the focus into a field.
        let isNumber = ("0"..."9").contains(scalar)
        if focus?.takesText == true, digits.isEmpty || !isNumber {
            digits = ""
            edit { $0.append(scalar) }
            return nil
        }
        if isNumber {
            jump(Character(scalar))
            return nil
        }
        digits = ""
        switch scalar {
        case "q": return .cancel
        case " ": return enter(now)
        case "/":
            let search = form.targets.first { if case .search = $0 { true } else { false } }
            if let search { focus = search }
            return nil
        default: return nil
        }
    }

    /// Moves the focus to the target with the typed number.
    private mutating func jump(_ digit: Character) {
        let targets = form.targets
        if let number = Int(digits + String(digit)), (1...max(1, targets.count)).contains(number) {
            digits.append(digit)
            focus = targets.isEmpty ? nil : targets[number - 1]
        } else {
            digits = ""
        }
    }

    private mutating func enter(_ now: ContinuousClock.Instant) -> Deed? {
        digits = ""
        guard let focus else { return nil }
        var target = focus
        if case .field = focus {
            guard let button = form.defaultButton else {
                move(by: 1)
                return nil
            }
            target = button
        }
        if let armed, now < armed { return nil }
        return form.act(on: target).map { .act($0) }
    }

    private mutating func edit(_ change: (inout TypedText) -> Void) {
        guard let focus, focus.takesText else { return }
        var text = form.text(of: focus)
        change(&text)
        form.setText(text, of: focus)
    }

    private mutating func move(by steps: Int) {
        let targets = form.targets
        guard let focus, let place = targets.firstIndex(of: focus) else {
            self.focus = targets.first
            return
        }
        self.focus = targets[min(max(0, place + steps), targets.count - 1)]
    }
}
