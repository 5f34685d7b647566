// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel

/// A row with a secret of an account, and the view that shows it below for at most 30 seconds.
@DesktopActor final class ShownSecret {
    typealias Fetch = @DesktopActor () async throws -> SecretBytes

    let row: Widget
    let view: SecretView
    private let name: String
    private let context: PageContext
    private let button: Widget
    private var fetch: Fetch
    private var begin: (@DesktopActor (_ isWanted: @DesktopActor () -> Bool) async throws -> Void)?
    private var clock: Task<Void, Never>?
    /// Counts the presses, so that a secret which comes after it was hidden again is not shown.
    private var turn = 0
    /// Whether a press is being answered. Another one meanwhile would only have the daemon asked once more.
    private var isAsking = false

    init(_ name: String, _ style: SecretView.Style, _ context: PageContext, fetch: @escaping Fetch) {
        self.name = name
        self.context = context
        self.fetch = fetch
        view = SecretView(name, style)
        row = Widgets.row(name, "Hidden")
        button = Widgets.iconButton("view-reveal-symbolic", "Show \(name)")
        adw_action_row_add_suffix(cast(row), button.style("flat"))
        button.on("clicked") { [weak self] in self?.pressed() }
    }

    /// Has something else begin to show secrets, by `show`, if they are still wanted when they come.
    func fetchInstead(
        _ begin: @escaping @DesktopActor (_ isWanted: @DesktopActor () -> Bool) async throws -> Void
    ) { self.begin = begin }

    private func pressed() {
        if view.isShown { return hide() }
        guard !isAsking else { return }
        isAsking = true
        turn += 1
        let asked = turn
        context.run { [self] in
            defer { isAsking = false }
            if let begin { return try await begin { asked == turn } }
            let secret = try await fetch()
            guard asked == turn else { return }
            guard secret.count > 0 else { return Widgets.setSubtitle(of: row, "None") }
            show(secret)
            count(until: ShownTime(from: .now))
        }
    }

    /// Shows a secret, with words about it in the row.
    func show(_ secret: SecretBytes, _ subtitle: String = "Shown") {
        view.show(secret)
        say(subtitle)
        mark(isShown: true)
    }

    func say(_ subtitle: String) { Widgets.setSubtitle(of: row, subtitle) }

    func hide() {
        turn += 1
        clock?.cancel()
        clock = nil
        guard view.isShown else { return }
        view.hide()
        say("Hidden")
        mark(isShown: false)
    }

    private func mark(isShown: Bool) {
        gtk_button_set_icon_name(cast(button), isShown ? "view-conceal-symbolic" : "view-reveal-symbolic")
        let text = "\(isShown ? "Hide" : "Show") \(name)"
        gtk_widget_set_tooltip_text(button, text)
        latchkey_set_accessible_name(button, text)
    }

    private func count(until end: ShownTime) {
        run { [weak self] in
            while !end.isOver(at: .now) {
                self?.say("Hidden again in \(end.secondsLeft(at: .now)) seconds")
                try await Task.sleep(for: .seconds(1))
            }
            self?.hide()
        }
    }

    /// Runs what happens while the secret is shown; it ends when the secret is hidden.
    func run(_ steps: @escaping @DesktopActor () async throws -> Void) {
        clock?.cancel()
        clock = Task { @DesktopActor in try? await steps() }
    }
}

/// Shows codes one after the other, with the time for which each is good.
@DesktopActor final class CodeCounter {
    private weak var shown: ShownSecret?
    private let context: PageContext
    private let fetch: Fetch
    private let fetchNext: Fetch

    typealias Fetch = @DesktopActor () async throws -> Items.Code.Answer

    /// - Parameters:
    ///   - fetch: Fetches the first code, for a press of the user's.
    ///   - next: Fetches each further one, by itself.
    init(
        _ shown: ShownSecret, _ context: PageContext, fetch: @escaping Fetch, next: @escaping Fetch
    ) {
        self.shown = shown
        self.context = context
        self.fetch = fetch
        fetchNext = next
    }

    /// Fetches the first code, and begins to show codes if `isWanted` is still true then.
    func begin(_ isWanted: @DesktopActor () -> Bool) async throws {
        let answer = try await fetch()
        guard isWanted(), let shown else { return }
        var code = ShownCode(answer.code.bytes, secondsLeft: answer.secondsLeft, now: .now)
        shown.show(code.code)
        shown.run { [weak shown, context, fetchNext] in
            while true {
                switch code.step(at: .now) {
                case .counting(let seconds):
                    shown?.say("Good for \(seconds) seconds")
                    try await Task.sleep(for: .seconds(1))
                case .next:
                    do {
                        let answer = try await fetchNext()
                        try Task.checkCancellation()
                        code = code.followed(by: answer.code.bytes, secondsLeft: answer.secondsLeft, now: .now)
                        shown?.show(code.code)
                    } catch is CancellationError {
                        return
                    } catch {
                        // With a passphrase for each release the next code takes another press.
                        if (error as? WireError)?.code != .authenticationRequired { context.say(error) }
                        shown?.hide()
                        return
                    }
                case .hide:
                    shown?.hide()
                    return
                }
            }
        }
    }
}
