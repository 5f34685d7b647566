// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// What all pages share: the daemon, the window's messages, the questions for the passphrase, and the clipboard.
@DesktopActor final class PageContext {
    /// Puts a secret on the clipboard for a while; answers why it could not, as a sentence.
    typealias Copy = @Sendable (SecretBytes) async -> String?

    let daemon: any DaemonAsking
    let commands: any CommandRunning
    let settings: any WindowSettings
    private let copySecret: Copy
    private let toasts: Widget
    private let window: () -> Widget?
    private var isAsking = false
    /// Whether the window is still there: what it asked for may be answered later.
    private var isThere = true
    /// Called with each step of an upgrade that runs.
    var progressed: @DesktopActor (String) -> Void = { _ in }

    init(
        daemon: any DaemonAsking, commands: any CommandRunning, settings: any WindowSettings, copy: @escaping Copy,
        toasts: Widget, window: @escaping () -> Widget?
    ) {
        self.settings = settings
        self.daemon = daemon
        self.commands = commands
        copySecret = copy
        self.toasts = toasts
        self.window = window
        toasts.on("destroy") { [weak self] in self?.isThere = false }
    }

    /// The window that dialogs stand before.
    var parent: UnsafeMutablePointer<GtkWindow>? { isThere ? cast(window()) : nil }

    /// Shows a sentence for a few seconds, with something that can be pressed where that is given.
    func say(_ sentence: String, button: String? = nil, _ press: (@DesktopActor () -> Void)? = nil) {
        guard isThere, let toast = adw_toast_new(Widgets.escaped(sentence)) else { return }
        if let button, let press {
            adw_toast_set_button_label(toast, button)
            Signal.connect(UnsafeMutableRawPointer(toast), "button-clicked", .plain) { _ in
                press()
                return false
            }
        }
        adw_toast_overlay_add_toast(cast(toasts), toast)
        // Its own button has an icon alone.
        toasts.eachInside("GtkButton") { button in
            if gtk_button_get_icon_name(cast(button)) != nil, gtk_widget_get_tooltip_text(button) == nil {
                latchkey_set_accessible_name(button, "Dismiss")
            }
        }
    }

    /// Shows why something failed. Where the user has cancelled it, nothing is shown.
    func say(_ error: any Error) {
        guard let error = error as? WireError else { return say("Something went wrong.") }
        if error.code == .userCanceled { return }
        say(Self.sentence(error))
    }

    static func sentence(_ error: WireError) -> String {
        let parts = [error.message, error.hint].compactMap { $0 }.map { DisplayText($0, .sentence).text }
        return parts.joined(separator: " ")
    }

    /// Runs something that asks the daemon, and says what went wrong.
    func run(_ work: @escaping @DesktopActor () async throws -> Void) {
        Task { @DesktopActor in
            do { try await work() } catch { self.say(error) }
        }
    }

    /// Asks; where the daemon wants the user authenticated first, asks for the passphrase and asks again, once.
    func authenticated<M: WireMethod>(_ method: M.Type, _ params: M.Params, to purpose: String) async throws
        -> M.Answer
    {
        do {
            return try await daemon.call(method, params)
        } catch let error as WireError where error.code == .authenticationRequired {
            try await authenticate(for: M.name, to: purpose, takesPIN: error.takesPIN)
            return try await daemon.call(method, params)
        }
    }

    /// Has the user give the passphrase for one method, or the PIN where it does.
    private func authenticate(for method: String, to purpose: String, takesPIN: Bool) async throws {
        guard !isAsking else { throw WireError(.userCanceled, "Another question is open.") }
        isAsking = true
        defer { isAsking = false }
        var (problem, takesPIN): (String?, Bool) = (nil, takesPIN)
        while true {
            guard
                let passphrase = await PassphraseDialog.ask(
                    before: parent, to: purpose, takesPIN: takesPIN, problem: problem)
            else {
                throw WireError(.userCanceled, "No passphrase was given.")
            }
            do {
                _ = try await daemon.call(
                    Settings.Authenticate.self,
                    .init(passphrase: passphrase, method: method, takesPIN: takesPIN ? true : nil))
                return
            } catch let error as WireError where error.code == .wrongPassphrase || error.code == .tooManyAttempts {
                problem = Self.sentence(error)
                takesPIN = takesPIN && error.takesPIN
            }
        }
    }

    /// Puts a secret on the clipboard by the rules of `latchkey show --copy`. Returns whether it is there.
    @discardableResult
    func copy(_ secret: SecretBytes, _ name: String) async -> Bool {
        if let problem = await copySecret(secret) {
            say(problem)
            return false
        }
        say("The \(name) is on the clipboard. It is cleared in \(Self.clipboardSeconds) seconds.")
        return true
    }

    /// Puts an ordinary text on the clipboard, without the mark and the time limit that secrets have.
    func copy(text: String, _ name: String = "user name") {
        guard isThere, let window = window() else { return }
        gdk_clipboard_set_text(gtk_widget_get_clipboard(window), text)
        say("The \(name) is on the clipboard.")
    }

    static let clipboardSeconds = 45
}
