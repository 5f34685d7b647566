// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import DesktopFields
internal import MainLoop
internal import ShownText

/// Has programs that Chromium draws describe their pages, which they do from the first question for attributes on.
///
/// It costs them processor time, so the daemon says first whether anything is offered in a program at all: browsers stay as they are.
@DesktopActor final class PageWaker {
    private let link: DaemonLink
    private let note: @DesktopActor (String) -> Void

    /// - Parameter note: Called with the reason why a program is left alone.
    init(_ link: DaemonLink, note: @escaping @DesktopActor (String) -> Void) {
        self.link = link
        self.note = note
    }

    /// Asks a program to describe its pages. Returns whether it was asked.
    func wake(_ program: AccessibleObject) async -> Bool {
        guard program.isOfChromium, let process = program.process, let peer = await link.conversation() else {
            return false
        }
        let answer = try? await peer.call(
            Desktop.Focused.self, .init(process: process, fields: []), timeout: .seconds(60))
        if let answer, let refusal = answer.refusal { note("\(answer.program.text): \(refusal.text)") }
        guard let answer, answer.refusal == nil, program.process == process else { return false }
        program.wake()
        return true
    }
}
