// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel

/// Whether the password of the user's login unlocks, and what is missing for it. Its switch keeps it, so it lives as long as what it shows.
@DesktopActor final class LoginRows {
    let widget: Widget
    private let context: PageContext
    /// Whether what it shows is still there: a page is removed while a command runs.
    private var isThere = true

    init(_ context: PageContext) {
        self.context = context
        widget = Widgets.column()
        widget.on("destroy") { self.isThere = false }
        read()
    }

    private func read() {
        Task { @DesktopActor in
            let outcome = await context.commands.run(LoginReport.arguments, input: nil)
            guard isThere else { return }
            widget.removeAll()
            guard let report = LoginReport(outcome) else { return }
            let group = Widgets.group("Login")
            Widgets.add(
                Widgets.switchRow("Unlock When You Log In", report.sentence, isOn: report.isOn) { self.change($0) },
                to: group)
            widget.append(group)
        }
    }

    /// Shows how things stand in any case, so that no switch says what is not so.
    private func change(_ isOn: Bool) {
        context.run { [self] in
            defer { read() }
            guard isOn else {
                _ = try await context.daemon.call(Settings.DisableLogin.self)
                return
            }
            guard
                let password = await PassphraseDialog.ask(
                    before: context.parent, title: "Login Password Needed", field: "Password of Your Login",
                    "Enter the password with which you log in to this computer. It opens Latchkey from then on, as well "
                        + "as the passphrase.")
            else { return }
            let again = await PassphraseDialog.ask(
                before: context.parent, title: "Login Password Once More", field: "The Same Password Again",
                "With a wrong one no login would unlock.")
            guard let again else { return }
            guard again.bytes == password.bytes else {
                return context.say("The two passwords are not the same. Nothing was changed.")
            }
            let (salt, cost) = (LoginPassword.salt(), Argon2Cost.standard)
            // Derived here, so that the daemon never has the password; on another thread, because it takes its time.
            let key = try await Task.detached {
                try LoginPassword.key(from: password.bytes, salt: salt, cost: cost)
            }.value
            _ = try await context.authenticated(
                Settings.EnableLogin.self,
                .init(
                    key: WireSecret(key), salt: LoginPassword.text(ofSalt: salt), memoryKiB: cost.memoryKiB,
                    iterations: cost.iterations, parallelism: cost.parallelism),
                to: "let your login unlock Latchkey")
        }
    }
}
