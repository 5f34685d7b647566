// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import DesktopFields
internal import MainLoop
internal import ShownText

/// Takes note of passwords that the user types by themselves, until their form is gone: then they may be saved.
///
/// The program says what stands in its field and how it changes, which those built on GTK 4 alone do. No key is listened to.
///
/// Whoever types the last letter and presses Return is faster than a question to the program. So the text is followed by what the program
/// tells of each change, and read only where it is not known: half a password must not be saved.
@DesktopActor final class TypedPasswords {
    /// A password that was typed into a form that is gone.
    struct Left {
        let session: String
        let user: String
        let server: String
        let password: SecretBytes
    }

    private final class Watch {
        /// The newest session of the form.
        var session: String
        let field: AccessibleObject
        var form: WindowForm
        var user = ""
        var server = ""
        /// What stands in the field; `nil` while it is not known for certain.
        var text: SecretBytes?
        /// What stood there before the field was emptied, and when it was. A field that is going is emptied by its toolkit.
        var emptied: (text: SecretBytes, at: ContinuousClock.Instant)?
        /// Whether anything was typed: what stood there before is not asked about.
        var isChanged = false
        /// How many changes were told.
        var changes = 0
        /// Whether the form no longer has the focus.
        var isLeft = false
        var subscription: UInt32 = 0

        let began = ContinuousClock.now

        init(_ form: WindowForm, _ field: AccessibleObject, session: String) {
            self.session = session
            self.field = field
            self.form = form
        }
    }

    /// How long a form is watched. The daemon forgets it a little later.
    private static let patience = Duration.seconds(540)
    /// Maximum number of forms that are watched.
    private static let limit = 4
    /// How long after it was emptied a field may be gone for that reason.
    private static let going = Duration.seconds(2)
    /// How long nothing may change before a text that was read is taken for what the changes to come begin with.
    private static let stillness = Duration.milliseconds(120)

    private var watches: [String: Watch] = [:]
    /// What was filled last, and into which fields: it is saved already, and the focus may come back to it.
    private var filled: [(field: AccessibleObject, password: SecretBytes, end: ContinuousClock.Instant)] = []
    /// Takes the sessions that are no longer needed, and what was typed.
    private let forget: @DesktopActor (String) -> Void
    private let tell: @DesktopActor (Left) -> Void

    init(forget: @escaping @DesktopActor (String) -> Void, tell: @escaping @DesktopActor (Left) -> Void) {
        self.forget = forget
        self.tell = tell
    }

    /// Begins to watch a form that has the focus. One that is watched already goes on under its new session.
    func watch(_ form: WindowForm, session: String) {
        guard let field = form.readablePassword else { return }
        if let known = watches.values.first(where: { $0.field.isSame(as: field) }) {
            watches[known.session] = nil
            forget(known.session)
            (known.session, known.form, known.isLeft) = (session, form, false)
            watches[session] = known
            return readNames(in: known)
        }
        if watches.count >= Self.limit, let oldest = watches.values.min(by: { $0.began < $1.began }) {
            end(oldest)
            if oldest.isLeft { forget(oldest.session) }
        }
        let watch = Watch(form, field, session: session)
        watches[session] = watch
        watch.subscription = field.listenToText { [weak self, weak watch] change in
            if let watch { self?.note(change, in: watch) }
        }
        readNames(in: watch)
        Task { await follow(watch) }
        Task { await read(watch) }
    }

    /// The focus has left a form. Returns whether its session is still needed, because a password was typed.
    func left(_ session: String) -> Bool {
        guard let watch = watches[session] else { return false }
        watch.isLeft = true
        let isTyped = typed(in: watch) != nil || (watch.isChanged && watch.text == nil)
        if !isTyped, !isGoing(watch) { end(watch) }
        return watches[session] != nil
    }

    /// Whether a field was emptied just now, and so may be gone soon.
    private func isGoing(_ watch: Watch) -> Bool {
        watch.text?.count == 0 && watch.emptied.map { $0.at + Self.going > .now } == true
    }

    /// A password is about to be filled into a form.
    func fills(_ password: SecretBytes?, into form: WindowForm) {
        filled.removeAll { $0.end < .now }
        guard let password, let field = form.readablePassword else { return }
        filled.removeAll { $0.field.isSame(as: field) }
        filled = filled.suffix(7) + [(field, password, .now + Self.patience)]
    }

    /// What the user typed, unless it is what was filled.
    private func typed(in watch: Watch) -> SecretBytes? {
        guard watch.isChanged, let text = watch.text, text.count > 0 else { return nil }
        return filled.contains { $0.field.isSame(as: watch.field) && $0.password == text } ? nil : text
    }

    private func end(_ watch: Watch) {
        guard watches.removeValue(forKey: watch.session) != nil else { return }
        watch.field.stopListening(watch.subscription)
    }

    // MARK: What stands in the field

    private func note(_ change: TextChange?, in watch: Watch) {
        guard watches[watch.session] === watch else { return }
        watch.changes += 1
        watch.isChanged = true
        guard let text = watch.text else { return }
        guard let new = change?.applied(to: text) else {
            watch.text = nil
            Task { await read(watch) }
            return
        }
        // One character is taken out by whoever corrects what they typed.
        if new.count == 0, text.count > 1 { watch.emptied = (text, .now) }
        watch.text = new
    }

    /// Reads the field until nothing has changed before and after it: a change that is told later may be in what was read.
    private func read(_ watch: Watch) async {
        while watches[watch.session] === watch, watch.text == nil {
            let changes = watch.changes
            let typed = watch.field.typed
            // In an empty field nothing has been typed that is still to be told.
            if case .nothing = typed { watch.text = SecretBytes(count: 0) }
            if case .gone = typed { return gone(watch) }
            guard watch.text == nil else { return }
            var pause = Self.stillness
            if case .unknown = typed { pause = .seconds(1) }
            try? await Task.sleep(for: pause)
            if changes == watch.changes, watch.text == nil, case .text(let text) = typed { watch.text = text }
        }
    }

    /// Reads what stands in the other fields. It stays known when they are gone.
    private func readNames(in watch: Watch) {
        if let user = watch.form.userName?.shownText(), !user.isEmpty { watch.user = user }
        if let server = watch.form.server?.shownText(), !server.isEmpty { watch.server = server }
    }

    // MARK: The end of the form

    private func follow(_ watch: Watch) async {
        let end = ContinuousClock.now + Self.patience
        var pause = Duration.seconds(1)
        while watches[watch.session] === watch, .now < end {
            switch watch.field.presence {
            case .gone: return gone(watch)
            case .there:
                pause = .seconds(1)
                readNames(in: watch)
            // Each question to a program that does not answer holds up what is offered in the others.
            case .unknown: pause = min(pause * 2, .seconds(16))
            }
            try? await Task.sleep(for: pause)
        }
        guard watches[watch.session] === watch else { return }
        self.end(watch)
        if watch.isLeft { forget(watch.session) }
    }

    private func gone(_ watch: Watch) {
        guard watches[watch.session] === watch else { return }
        end(watch)
        if isGoing(watch), let emptied = watch.emptied { watch.text = emptied.text }
        // Of a form that changes a password the new one counts.
        let isOld = watches.values.contains {
            $0.form.window.isSame(as: watch.form.window) && $0.form.wantsNewPassword && typed(in: $0) != nil
        }
        let password = isOld && !watch.form.wantsNewPassword ? nil : typed(in: watch)
        filled.removeAll { $0.field.isSame(as: watch.field) }
        if let password {
            tell(Left(session: watch.session, user: watch.user, server: watch.server, password: password))
        } else if watch.isLeft {
            forget(watch.session)
        }
    }
}
