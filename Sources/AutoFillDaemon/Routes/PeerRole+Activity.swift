// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

extension PeerRole {
    /// What the command line asks again and again by itself, or for nobody.
    private static let polled: Set<String> = [
        Settings.Status.name, Settings.Audit.name, Associations.Log.name, Settings.Lock.name, Settings.Stop.name,
        Settings.ReloadQuirks.name, Codes.Offer.name, Authorization.Render.name, Renderer.Prompt.name,
    ]

    /// What the user brings about in the extension's own documents: a choice, an answer, a press.
    private static let chosen: Set<String> = [
        Renderer.Choose.name, Renderer.OpenList.name, Renderer.Unlock.name, Renderer.Answer.name, Renderer.Act.name,
        Advice.ChangePassword.name, Advice.Hide.name, Advice.Upgrade.name, Upgrades.Plan.name, Upgrades.Run.name,
        Consents.Forget.name, Providers.Enable.name, Providers.Disable.name, Providers.Order.name,
        Providers.Configure.name,
    ]

    /// Whether a request is an act of the user, and so puts off the idle lock. What a page can bring about by a script is none: focus,
    /// forms that are sent off, suggestions that are drawn.
    func isActOfUser(_ method: String) -> Bool {
        switch self {
        case .settings: !Self.polled.contains(method)
        case .browser: Self.chosen.contains(method)
        // Where these need the user, the user is asked, and the answer counts.
        case .git, .app, .client, .none: false
        }
    }
}
