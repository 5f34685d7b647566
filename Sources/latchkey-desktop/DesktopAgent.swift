// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import DesktopFields
internal import FormAnalysis
internal import Glibc
internal import MainLoop
internal import ShownText
internal import SuggestionPanel

/// What happens between a focus and a fill.
@DesktopActor final class DesktopAgent {
    /// The form in front, and what is offered for it.
    private struct Current {
        let form: WindowForm
        let process: Int32
        let session: String
        let program: String
        var handles: [String] = []
        /// The index of the row for a strong password.
        var strongRow: Int?
        var contents = PanelWindow.Contents.rows([])
    }

    private static var running: DesktopAgent?

    /// Whether each reason for offering nothing is written to standard error.
    private let isVerbose: Bool
    private let reader = WindowReader(hasKeys: DesktopLoop.isX11)
    private let writer = FieldWriter()
    private var link: DaemonLink?
    private var waker: PageWaker?
    private var watcher: FocusWatcher?
    private var typedPasswords: TypedPasswords?
    private var panel: PanelWindow?
    private var current: Current?
    /// Whether the user has chosen something that is not filled yet. Questions take the focus meanwhile.
    private var isChoosing = false
    /// Counts the focus's moves, so that an answer which comes late is not for another field.
    private var moves = 0
    /// The connection that told of a focus last.
    private var lastSender = ""
    /// The move whose field is being looked at.
    private var considered: Int?
    /// What was told to have the focus last.
    private var lastFocused: AccessibleObject?
    /// The connection of a program that did not answer when a field of it took the focus, while it is to be asked again.
    private var unanswered: String?
    /// The field with the focus, where it has been asked about again already.
    private var askedAgain: AccessibleObject?
    /// Waits for the next field that gets the focus, for a user who wants to know what is seen there.
    private var inspection: CheckedContinuation<Desktop.Inspect.Answer, Never>?
    /// Until when what became of a fill is shown, unless the focus comes into another form.
    private var noticeEnd = ContinuousClock.now
    /// The open interfaces of the daemon, by name.
    private var interfaces: [String: InterfaceWindow] = [:]

    private init(isVerbose: Bool) {
        self.isVerbose = isVerbose
    }

    /// Begins to watch. Returns whether there is an accessibility bus.
    static func start(_ directories: Directories, isVerbose: Bool) -> Bool {
        let agent = DesktopAgent(isVerbose: isVerbose)
        running = agent
        let link = DaemonLink(directories) { [weak agent] method, params in
            guard let agent else { throw WireError(.expired, "The program ends.") }
            return try await agent.answer(method, params)
        }
        agent.link = link
        if DesktopLoop.isX11 { agent.waker = PageWaker(link) { [weak agent] in agent?.note($0) } }
        agent.typedPasswords = TypedPasswords { [weak agent] in
            agent?.forget($0)
        } tell: { [weak agent] in
            agent?.tell(of: $0)
        }
        agent.panel = PanelWindow { [weak agent] choice in agent?.chosen(choice) }
        agent.watcher = FocusWatcher { [weak agent] event in agent?.happened(event) }
        // So that the daemon can say that this runs; without one it is found when something is to be asked.
        Task { _ = await agent.link?.conversation() }
        guard let watcher = agent.watcher, watcher.start() else { return false }
        for program in watcher.programs { Task { await agent.look(at: program) } }
        return true
    }

    // MARK: The focus

    private func happened(_ event: FocusWatcher.Event) {
        if case .busEnded = event {
            Task {
                // The desktop may start another one.
                try? await Task.sleep(for: .seconds(3))
                DaemonLink.beginAnew()
            }
            return
        }
        guard !isChoosing else { return }
        switch event {
        case .busEnded: return
        case .joined(let program): Task { await look(at: program) }
        case .focused(let object):
            if inspection != nil, object.process != getpid() { answerInspection(with: object) }
            lastSender = object.busName
            // The panel's own, where a screen reader has this program on the bus.
            if panel?.isShown == true, object.process == getpid() { return }
            // Toolkits tell some focuses twice.
            let isTold = lastFocused?.isSame(as: object) == true
            if askedAgain?.isSame(as: object) != true { askedAgain = nil }
            lastFocused = object
            if let current, isTold, current.form.focused.isSame(as: object), panel?.isShown == true { return }
            if isTold, considered == moves { return }
            moves += 1
            let move = moves
            Task { await consider(object, move: move) }
        case .ended(let connection):
            if connection == unanswered { unanswered = nil }
            guard current?.form.focused.busName == connection else { return }
            moves += 1
            leaveOnceRead(move: moves)
        case .windowLeft(let window):
            if window.busName == unanswered { unanswered = nil }
            // A panel that has the keyboard, or that the desktop placed, has taken the front from the window itself.
            guard let current, current.form.window.isSame(as: window), PanelWindow.placing != .window,
                panel?.takesKeyboard != true
            else { return }
            moves += 1
            leaveOnceRead(move: moves)
        }
    }

    /// Looks for the field with the focus in a program that has just joined the bus and told of none.
    private func look(at program: AccessibleObject) async {
        guard program.process != getpid(), !isChoosing else { return }
        let isAsked = await waker?.wake(program) == true
        for pause in [Duration.milliseconds(700), .milliseconds(1_500)] + (isAsked ? [.seconds(3)] : []) {
            try? await Task.sleep(for: pause)
            guard lastSender != program.busName, !isChoosing else { return }
            if let field = reader.focusedField(of: program) { return happened(.focused(field)) }
        }
    }

    /// Shows the panel if an object is a field of a form that signs in, in a program where anything is offered.
    private func consider(_ object: AccessibleObject, move: Int) async {
        guard move == moves else { return }
        considered = move
        defer { if considered == move { considered = nil } }
        // What stands beside another field is not for this one.
        if .now >= noticeEnd { panel?.hide() }
        guard let process = object.process, process != getpid() else { return leaveOnceRead(move: move) }
        guard let form = await form(around: object, of: process, move: move) else {
            return leaveOnceRead(move: move)
        }
        // All fields are of the connection that the focus is in, so of one process.
        guard let peer = await link?.conversation() else { return note("no daemon answers") }
        note("process \(process): a form of \(form.fields.count) fields")
        let fields = form.fields.map { Desktop.Field(ref: $0.ref, role: $0.role.rawValue) }
        let server = form.server.map { $0.shownText() }.flatMap { $0.isEmpty ? nil : $0 }
        let answer: Desktop.Focused.Answer?
        do {
            // To identify a program its whole file is read: of those that Chromium draws, hundreds of megabytes.
            answer = try await peer.call(
                Desktop.Focused.self, .init(process: process, fields: fields, server: server), timeout: .seconds(60))
        } catch {
            note("process \(process): \(error)")
            answer = nil
        }
        if let answer, let refusal = answer.refusal { note("\(answer.program.text): \(refusal.text)") }
        // The daemon holds on to the process that has this number now. It is the one that made the connection if the bus still says so.
        guard move == moves, !isChoosing, let answer, let session = answer.session, object.process == process else {
            if let session = answer?.session { forget(session) }
            if !isChoosing { leaveOnceRead(move: move) }
            return
        }
        leave()
        current = Current(form: form, process: process, session: session, program: answer.program.text)
        if answer.saves == true { typedPasswords?.watch(form, session: session) }
        await offer(takesKeyboard: false, move: move)
    }

    /// The form around an object. A window that is just being opened tells of its focus before it has its place and its labels.
    private func form(around object: AccessibleObject, of process: Int32, move: Int) async -> WindowForm? {
        var object = object
        for pause in [Duration.milliseconds(150), .milliseconds(500), .milliseconds(1_500), nil] {
            defer { panel?.arm() }
            let reason: NoForm
            do throws(NoForm) {
                let form = try reader.form(around: object)
                if isInFront(process) { return form }
                reason = .behind
            } catch {
                reason = error
            }
            guard reason != .notAField, let pause else {
                note("process \(process): \(reason.rawValue)")
                if [.gone, .tooSlow, .notListed, .noWindow].contains(reason) {
                    askAgain(about: object, of: process, move: move)
                }
                return nil
            }
            try? await Task.sleep(for: pause)
            guard move == moves, !isChoosing else { return nil }
            // The first focus in a window of GTK 4 is told of an object that nobody has asked for yet: it has no such path.
            if reason == .gone, object.isOfGTK4, let field = reader.focusedField(of: object.program) { object = field }
        }
        return nil
    }

    /// Looks at a field again after 3 seconds, and after 6 more. A program that is just starting may not answer for some seconds, and it
    /// sends only one event when its field gets the focus. Another focus, a window of it that is left, or its end stops this.
    private func askAgain(about object: AccessibleObject, of process: Int32, move: Int) {
        // Once for each focus: of some fields a program never says more.
        guard move == moves, askedAgain?.isSame(as: object) != true, !object.isGone else { return }
        unanswered = object.busName
        note("process \(process): it is asked again")
        Task {
            for pause in [Duration.seconds(3), .seconds(6)] {
                try? await Task.sleep(for: pause)
                guard move == moves, !isChoosing, unanswered == object.busName else { return }
                guard let field = object.hasFocus ? object : reader.focusedField(of: object.program) else { continue }
                unanswered = nil
                askedAgain = field
                return happened(.focused(field))
            }
            unanswered = nil
        }
    }

    /// Whether the window in front is of this process, where the display says so. A program may tell of a focus at any time; the panel is
    /// not to come over another one's window for it.
    private func isInFront(_ process: Int32) -> Bool {
        guard let front = DesktopLoop.frontWindow, front.process != 0 else { return true }
        return front.process == process
    }

    /// Whether the panel may stand beside a form: its field has the focus, in the window in front. The user may have gone to a program
    /// that tells nobody of its focus. A panel that the desktop placed may have the keyboard itself.
    private func isStillThere(_ current: Current) -> Bool {
        if PanelWindow.placing == .window || panel?.hasKeyboard == true { return true }
        return current.form.focused.hasFocus && isInFront(current.process)
    }

    /// Asks what is offered for the form in front, and shows it.
    private func offer(takesKeyboard: Bool, move: Int) async {
        guard var current, let peer = await link?.conversation() else { return }
        do {
            let answer = try await peer.call(
                Desktop.Suggestions.self, .init(session: current.session), timeout: .seconds(15))
            guard move == moves, self.current?.session == current.session else { return }
            let before = current.contents
            current.handles = (answer.strong.map { [$0] } ?? []) + answer.suggestions.compactMap(\.handle)
            current.strongRow = answer.strong == nil ? nil : 0
            let rows =
                (answer.strong == nil ? [] : ["Use a Strong Password…"])
                + answer.suggestions.map { "\($0.user.text) — \($0.title.text)" }
            current.contents = answer.state == "ready" ? .rows(rows) : .locked
            self.current = current
            // A press that was meant for another row is not for the one that has come in its place.
            if current.contents != before { panel?.arm() }
            // A question that was just answered gives the focus back a moment later.
            for pause in [Duration.milliseconds(150), .milliseconds(850)] where !isStillThere(current) {
                try? await Task.sleep(for: pause)
            }
            guard move == moves, self.current?.session == current.session else { return }
            guard isStillThere(current) else {
                note("process \(current.process): its field lost the focus before anything was offered")
                return leave()
            }
            noticeEnd = .now
            show(current.contents, takesKeyboard: takesKeyboard)
        } catch {
            note("what is offered cannot be had: \(error)")
            if move == moves { leave() }
        }
    }

    private func note(_ sentence: String) {
        if isVerbose { Journal.write("latchkey-desktop: \(sentence)\n") }
    }

    private func show(_ contents: PanelWindow.Contents, takesKeyboard: Bool = false) {
        guard let current else { return }
        self.current?.contents = contents
        let front = DesktopLoop.frontWindow.map { (x: $0.x, y: $0.y, width: $0.width) }
        panel?.show(
            contents, program: current.program, field: current.form.screenPlace(front: front),
            takesKeyboard: takesKeyboard)
    }

    /// Ends what was offered for the form before.
    private func leave() {
        noticeEnd = .now
        panel?.hide()
        guard let session = current?.session else { return }
        current = nil
        if typedPasswords?.left(session) != true { forget(session) }
    }

    /// Ends what was offered for the form before, but leaves a sentence about a fill there until it can have been read: a program that
    /// ends while it is filled takes its window along.
    private func leaveOnceRead(move: Int) {
        guard move == moves else { return }
        let rest = ContinuousClock.now.duration(to: noticeEnd)
        guard rest > .zero else { return leave() }
        Task {
            try? await Task.sleep(for: rest)
            if move == moves, !isChoosing { leave() }
        }
    }

    /// Tells the daemon that a form is gone.
    private func forget(_ session: String) {
        Task { _ = try? await link?.conversation()?.call(Desktop.Left.self, .init(session: session)) }
    }

    /// Tells the daemon of a password that the user typed into a form which is gone.
    private func tell(of typed: TypedPasswords.Left) {
        if current?.session == typed.session {
            current = nil
            if !isChoosing { panel?.hide() }
        }
        Task {
            do {
                _ = try await link?.conversation()?.call(
                    Desktop.Typed.self,
                    .init(
                        session: typed.session, user: typed.user, server: typed.server,
                        password: WireSecret(typed.password)))
                note("the daemon knows of a password that was typed")
            } catch {
                note("a typed password is not saved: \(error)")
            }
        }
    }

    // MARK: The user's choice

    private func chosen(_ choice: PanelWindow.Choice) {
        guard let current, !isChoosing else { return }
        switch choice {
        case .none: leave()
        case .unlock:
            perform { peer in
                _ = try await peer.call(Desktop.Unlock.self, .init(), timeout: .seconds(300))
                return nil
            } then: { [self] in
                await offer(takesKeyboard: false, move: moves)
            }
        case .row(let index):
            guard current.handles.indices.contains(index) else { return }
            // What the user has typed as the name of the new account, as a proposal for what is saved.
            let user = index == current.strongRow ? current.form.userName?.shownText() : nil
            perform { peer in
                try await peer.call(
                    Desktop.Choose.self, .init(handle: current.handles[index], user: user), timeout: .seconds(900))
            }
        case .all:
            perform { peer in
                try await peer.call(Desktop.Browse.self, .init(session: current.session), timeout: .seconds(900))
            }
        }
    }

    /// Has the daemon ask the user, then writes what it gives.
    private func perform(
        _ ask: @escaping @DesktopActor (Peer) async throws -> Desktop.Fills?,
        then: (@DesktopActor () async -> Void)? = nil
    ) {
        guard let current else { return }
        isChoosing = true
        moves += 1
        panel?.hide()
        Task {
            await carryOut(ask, for: current)
            isChoosing = false
            if self.current?.session == current.session { await then?() }
        }
    }

    private func carryOut(
        _ ask: @DesktopActor (Peer) async throws -> Desktop.Fills?, for current: Current
    ) async {
        do {
            guard let peer = await link?.conversation() else { return }
            guard let answer = try await ask(peer) else { return }
            do throws(WriteFailure) {
                try await write(answer, into: current)
            } catch {
                // What was saved is saved all the same.
                return tell([error.sentence, answer.notice ?? ""].joined(separator: " "))
            }
            if let notice = answer.notice { tell(notice) } else { finish() }
        } catch let error as WireError {
            if error.code == .userCanceled { return finish() }
            tell(DisplayText(error.message, .sentence).text)
        } catch {
            finish()
        }
    }

    private func write(_ answer: Desktop.Fills, into current: Current) async throws(WriteFailure) {
        let values = answer.fills.map { (ref: $0.ref, value: $0.value.bytes) }
        if current.form.takesKeys {
            let typer = KeyTyper(reader: reader, keyboard: DisplayKeyboard())
            do throws(WriteFailure) {
                return try await typer.write(values, into: current.form, of: current.process)
            } catch {
                // The focus that stopped the keys is told a moment later, and would hide the sentence about it.
                try? await Task.sleep(for: .milliseconds(500))
                throw error
            }
        }
        let password = current.form.password?.ref
        typedPasswords?.fills(values.first { $0.ref == password }?.value, into: current.form)
        try writer.write(values, into: current.form, of: current.process)
    }

    /// Tells the user what became of a fill.
    private func tell(_ sentence: String) {
        noticeEnd = .now + .seconds(5)
        show(.notice(sentence))
        note(sentence)
        guard let session = current?.session else { return }
        Task {
            // What took the focus away meanwhile was told while the user had chosen something, or is told by nobody.
            try? await Task.sleep(for: .seconds(5))
            guard let current, current.session == session, !isChoosing, case .notice = current.contents,
                !isStillThere(current)
            else { return }
            leave()
        }
    }

    /// The form is filled, or the user wants nothing: the panel comes again with the next focus.
    private func finish() {
        leave()
    }

    // MARK: What the daemon asks

    private func answer(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        switch method {
        case Browser.Present.name:
            let name = try (params.decoded() as Browser.Present.Params).prompt
            open(name)
            Task { await draw(name) }
        case Browser.Update.name: await draw(try (params.decoded() as Browser.Present.Params).prompt)
        case Browser.Dismiss.name:
            interfaces.removeValue(forKey: try (params.decoded() as Browser.Dismiss.Params).prompt)?.close()
        case Desktop.Summon.name: try await summon()
        case Desktop.Inspect.name: return try JSONValue(encoding: await nextInspection())
        case Desktop.Changed.name:
            // A sentence about a fill is not overwritten by it.
            if current != nil, panel?.isShown == true, !isChoosing, .now >= noticeEnd {
                let move = moves
                Task { await offer(takesKeyboard: panel?.takesKeyboard == true, move: move) }
            }
        case Desktop.Stop.name: DesktopLoop.end()
        case Desktop.Describe.name:
            return try JSONValue(
                encoding: Desktop.Surface(
                    display: DesktopLoop.isX11 ? "x11" : "wayland", panel: PanelWindow.placing.rawValue,
                    confined: DesktopSandbox.isInside))
        default: throw WireError(.methodNotFound, "There is no method \(method.prefix(64)) here.")
        }
        return .object([:])
    }

    /// What is seen in the window that the user goes to next. Whoever asked before is answered by the same.
    private func nextInspection() async -> Desktop.Inspect.Answer {
        inspection?.resume(returning: .init(process: 0, title: "", fields: [], refusal: "another command asks now"))
        return await withCheckedContinuation { inspection = $0 }
    }

    private func answerInspection(with object: AccessibleObject) {
        let seen = reader.inspection(around: object)
        // The focus often passes other widgets before it reaches a field.
        if let refusal = seen.refusal, [.notAField, .notListed, .gone].contains(refusal) { return }
        let fields = seen.fields.map { field in
            Desktop.InspectedField(
                label: DisplayText(field.label), identifier: DisplayText(field.identifier), role: field.role,
                reasons: field.reasons, secure: field.isSecure, focused: field.isFocused, takesText: field.takesText)
        }
        inspection?.resume(
            returning: .init(
                process: object.process ?? 0, title: DisplayText(seen.title), fields: fields,
                refusal: seen.refusal.map { DisplayText($0.rawValue, .sentence) }))
        inspection = nil
    }

    private func open(_ name: String) {
        interfaces[name] = InterfaceWindow(
            act: { [weak self] act in
                Task {
                    _ = try? await self?.link?.conversation()?.call(Renderer.Act.self, .init(prompt: name, act: act))
                }
            },
            cancel: { [weak self] in
                self?.interfaces.removeValue(forKey: name)?.close()
                Task {
                    _ = try? await self?.link?.conversation()?.call(
                        Renderer.Answer.self, .init(prompt: name, accept: false))
                }
            })
    }

    private func draw(_ name: String) async {
        guard let peer = await link?.conversation(),
            let prompt = try? await peer.call(Renderer.Prompt.self, .init(prompt: name), timeout: .seconds(5))
        else { return }
        interfaces[name]?.show(prompt)
        note("a window is drawn")
    }

    /// The user pressed the key for the panel.
    private func summon() async throws {
        guard let current, !isChoosing, current.form.focused.hasFocus || panel?.hasKeyboard == true,
            isInFront(current.process)
        else {
            throw WireError(.notFound, "No field of a sign-in form has the focus.")
        }
        moves += 1
        await offer(takesKeyboard: true, move: moves)
    }
}
