// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import SecurityRecommendations

/// The page on which Latchkey is unlocked, and the one on which it is set up.
@DesktopActor enum EntryPages {
    /// Whether the recovery code is on the screen. It is not shown again, so nothing but the user takes it away.
    private(set) static var isCodeShown = false
    /// The code on the screen, for what copies it.
    private static var shownCode: SecretBytes?
    /// Whether the daemon has said that the code counts.
    private static var isSetUp = false
    /// Whether it is being made.
    private(set) static var isCodeComing = false

    /// - Parameters:
    ///   - takesPIN: Whether the PIN of this session unlocks, too.
    ///   - opened: Called once it is unlocked.
    static func unlock(
        _ context: PageContext, takesPIN: Bool, opened: @escaping @DesktopActor () -> Void
    ) -> (page: Widget, field: SecretField) {
        let page = Widgets.statusPage(
            "system-lock-screen-symbolic", "Latchkey Is Locked", "Your passwords are shown once you unlock.")
        let column = Widgets.column(spacing: 12)
        let group = Widgets.group()
        let field = SecretField(takesPIN ? "PIN or Passphrase" : "Passphrase")
        Widgets.add(field.row, to: group)
        let problem = Widgets.label("", wraps: true).style("error")
        let button = Widgets.button("Unlock").style("suggested-action", "pill")
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        for part in [group, problem, button] { column.append(part) }
        adw_status_page_set_child(cast(page), Widgets.clamped(column, width: 360))
        // A key that is held down is pressed many times, and each wrong PIN counts.
        var isBusy = false
        let unlock: @DesktopActor () -> Void = {
            guard !isBusy, let secret = field.filled else { return }
            isBusy = true
            button.enable(false)
            Task { @DesktopActor in
                do {
                    _ = try await context.daemon.call(Settings.Unlock.self, PassphraseParams(passphrase: secret))
                    field.clear()
                    // `opened` removes this page, so none of its widgets may be used after it.
                    return opened()
                } catch {
                    field.clear()
                    let sentence = (error as? WireError).map(PageContext.sentence) ?? "It could not be unlocked."
                    Widgets.set(problem, sentence)
                    field.describe(sentence)
                }
                isBusy = false
                button.enable(true)
                field.takeFocus()
            }
        }
        button.on("clicked", unlock)
        field.onReturn(unlock)
        return (page, field)
    }

    /// Choosing a passphrase, then the recovery code.
    static func setUp(
        _ context: PageContext, opened: @escaping @DesktopActor () -> Void
    ) -> (page: Widget, field: SecretField) {
        let stack: Widget = gtk_stack_new()
        let page = Widgets.statusPage(
            "dialog-password-symbolic", "Welcome to Latchkey",
            "Choose a passphrase. It opens everything that you save, and it is kept nowhere.")
        let column = Widgets.column(spacing: 12)
        let group = Widgets.group()
        let field = SecretField("New Passphrase")
        let again = SecretField("The Same Passphrase Again")
        Widgets.add(field.row, to: group)
        Widgets.add(again.row, to: group)
        let strength: Widget = gtk_level_bar_new_for_interval(0, 4)
        gtk_level_bar_set_mode(cast(strength), GTK_LEVEL_BAR_MODE_DISCRETE)
        let words = Widgets.label("Six random words make a good passphrase.", wraps: true)
        let problem = Widgets.label("", wraps: true).style("error")
        let button = Widgets.button("Set Up").style("suggested-action", "pill")
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        for part in [group, strength.named("Strength of the passphrase"), words, problem, button] {
            column.append(part)
        }
        adw_status_page_set_child(cast(page), Widgets.clamped(column, width: 420))
        gtk_stack_add_named(cast(stack), page, "passphrase")
        field.onChange {
            let choice = PassphraseChoice(field.secret.bytes)
            gtk_level_bar_set_value(cast(strength), Double(choice.score))
            Widgets.set(words, choice.sentence)
            field.describe(choice.sentence)
        }
        var isBusy = false
        let begin: @DesktopActor () -> Void = {
            guard !isBusy else { return }
            let (secret, other) = (field.secret, again.secret)
            if let reason = PassphraseChoice(secret.bytes).refusal {
                return Widgets.set(problem, reason)
            }
            guard secret.bytes == other.bytes else {
                return Widgets.set(problem, "The two passphrases are not the same.")
            }
            isBusy = true
            isCodeComing = true
            button.enable(false)
            Task { @DesktopActor in
                defer { isCodeComing = false }
                do {
                    let answer = try await context.daemon.call(
                        Settings.Initialize.self, .init(passphrase: secret))
                    let next = firstSteps(context, opened: opened)
                    gtk_stack_add_named(cast(stack), next, "next")
                    isSetUp = false
                    let code = recovery(answer.recoveryCode.bytes, context) {
                        // Where it is not known whether Latchkey is set up, the window asks the daemon anew.
                        guard isSetUp else { return opened() }
                        gtk_stack_set_visible_child(cast(stack), next)
                        gtk_widget_child_focus(next, GTK_DIR_TAB_FORWARD)
                    }
                    gtk_stack_add_named(cast(stack), code, "code")
                    gtk_stack_set_visible_child_name(cast(stack), "code")
                    do {
                        // Nothing is written before the code is on the screen.
                        _ = try await context.daemon.call(Settings.RecoveryCodeShown.self, Empty())
                        isSetUp = true
                        field.clear()
                        again.clear()
                    } catch let error as WireError
                        where error.reason == WireError.unsettled
                        || [.providerUnavailable, .timedOut].contains(error.code)
                    {
                        context.say(
                            "It is not known whether this recovery code counts. Keep it, and set up again if you are asked."
                        )
                    } catch {
                        gtk_stack_set_visible_child_name(cast(stack), "passphrase")
                        for page in [code, next] { gtk_stack_remove(cast(stack), page) }
                        (shownCode, isCodeShown) = (nil, false)
                        throw error
                    }
                    return
                } catch {
                    let sentence = (error as? WireError).map(PageContext.sentence) ?? "It could not be set up."
                    Widgets.set(problem, sentence)
                }
                isBusy = false
                button.enable(true)
            }
        }
        button.on("clicked", begin)
        again.onReturn(begin)
        return (stack, field)
    }

    /// What is done next: bringing what is saved elsewhere, and having browsers fill.
    private static func firstSteps(_ context: PageContext, opened: @escaping @DesktopActor () -> Void) -> Widget {
        let page = Widgets.statusPage(
            "emblem-ok-symbolic", "Latchkey Is Set Up",
            "A few more steps, now or later, and your browser fills your passwords.")
        let column = Widgets.column(spacing: 18)
        let group = Widgets.group(
            "Passwords You Have Already",
            "Your browser or password manager writes them into a file (CSV) when you export them.")
        let row = Widgets.row("Import from a File")
        let button = Widgets.button("Choose…") {
            FileImport.begin(context) {}
        }
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(cast(row), button.named("Choose a file to import"))
        Widgets.add(row, to: group)
        let done = Widgets.button("Done", opened).style("suggested-action", "pill")
        gtk_widget_set_halign(done, GTK_ALIGN_CENTER)
        for part in [group, BrowserRows(context).widget, LoginRows(context).widget, done] { column.append(part) }
        adw_status_page_set_child(cast(page), Widgets.clamped(column, width: 460))
        return page
    }

    /// Shows the recovery code once.
    private static func recovery(
        _ code: SecretBytes, _ context: PageContext, written: @escaping @DesktopActor () -> Void
    ) -> Widget {
        let page = Widgets.statusPage(
            "document-print-symbolic", "Your Recovery Code",
            "Write it down on paper, or print it, and keep it away from this computer. It opens everything without "
                + "the passphrase, and it is not shown again.")
        let column = Widgets.column(spacing: 12)
        let view = SecretView("Recovery code")
        let list: Widget = gtk_list_box_new()
        gtk_list_box_set_selection_mode(cast(list), GTK_SELECTION_NONE)
        gtk_list_box_append(cast(list), view.widget)
        column.append(list.style("boxed-list").named("Recovery code"))
        let others = Widgets.line(spacing: 12)
        gtk_widget_set_halign(others, GTK_ALIGN_CENTER)
        others.append(
            Widgets.button("Print…") {
                if let shownCode { RecoveryCodeCopy.print(shownCode, context) }
            })
        others.append(
            Widgets.button("Save to a File…") {
                if let shownCode { RecoveryCodeCopy.save(shownCode, context) }
            })
        column.append(others)
        let button = Widgets.button("I Have Written It Down") {
            view.hide()
            shownCode = nil
            isCodeShown = false
            written()
        }.style("suggested-action", "pill")
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        column.append(button)
        adw_status_page_set_child(cast(page), Widgets.clamped(column, width: 460))
        view.show(code)
        shownCode = code
        isCodeShown = true
        return page
    }
}

/// A passphrase that is being chosen: how soon it could be guessed, in words.
struct PassphraseChoice {
    /// From 0 to 4.
    let score: Int
    let sentence: String
    /// Why it is not taken, or `nil`.
    let refusal: String?

    /// NIST SP 800-63B, 5.1.1.1: a secret that people remember has at least eight characters.
    private static let leastCount = 8

    init(_ passphrase: SecretBytes) {
        // Each character of UTF-8 has one byte that continues no other.
        let count = passphrase.withUnsafeBytes { $0.count { $0 & 0xC0 != 0x80 } }
        guard count >= Self.leastCount else {
            score = 0
            refusal = "The passphrase needs at least \(Self.leastCount) characters."
            sentence = count == 0 ? "Six random words make a good passphrase." : "Too short."
            return
        }
        refusal = nil
        score = PasswordStrength(of: passphrase).score
        sentence =
            switch score {
            case 4: "Strong: nobody guesses it."
            case 3: "Good: guessing it takes very long."
            default: "Weak: someone with your files could guess it."
            }
    }
}
