// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

extension DesktopFilling {
    /// Whether anything fills native programs in the user's session, and what it says of itself.
    func status() async -> Desktop.Status.Answer {
        guard let agent else { return .init(connected: false) }
        let surface = try? await agent.call(Desktop.Describe.self, .init(), timeout: .seconds(2))
        return .init(connected: true, surface: surface)
    }
}
