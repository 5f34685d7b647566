// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

extension PeerRole {
    /// Methods that the command line calls repeatedly by itself, or without the user's doing.
    private static let polled: Set<String> = [
        Settings.Status.name, Settings.Audit.name, Associations.Log.name, Settings.Lock.name, Settings.Stop.name,
        Settings.ReloadQuirks.name, Codes.Offer.name, Authorization.Render.name, Renderer.Prompt.name,
    ]

    /// Methods that follow from an act of the user in the extension's own documents: a choice, an answer, a press.
    private static let chosen: Set<String> = [
        Renderer.Choose.name, Renderer.OpenList.name, Renderer.Unlock.name, Renderer.Answer.name, Renderer.Act.name,
        Renderer.Reveal.name, Renderer.Copy.name, Renderer.CopySaved.name, Renderer.SetPreferences.name,
        Renderer.DisableLogin.name, Renderer.ForgetPIN.name,
        Advice.ChangePassword.name, Advice.Hide.name, Advice.Upgrade.name, Upgrades.Plan.name, Upgrades.Run.name,
        Consents.Forget.name, Providers.Enable.name, Providers.Disable.name, Providers.Order.name,
        Providers.Configure.name,
    ]

    /// Whether a request is an act of the user and so postpones the idle lock. Requests that a page's script can cause are not: focus,
    /// submitted forms, suggestions that are drawn.
    func isActOfUser(_ method: String) -> Bool {
        switch self {
        case .settings: !Self.polled.contains(method)
        case .browser: Self.chosen.contains(method)
        // A program of the desktop can press on the panel.
        case .desktop: false
        // Where these need the user, the user is asked, and the answer counts.
        case .git, .app, .client, .login, .none: false
        }
    }
}
