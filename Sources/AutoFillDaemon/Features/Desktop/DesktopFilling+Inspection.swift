// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease
internal import ShownText

/// Says what is offered in a window, and why.
extension DesktopFilling {
    /// How long the user has to go to a window, in seconds.
    static let inspectionSpan = Duration.seconds(60)

    /// Has the window read that the user goes to next, and adds what belongs to its program.
    func inspect() async throws -> Desktop.Inspect.Answer {
        guard let agent else { throw Self.nothingFills }
        var answer = try await agent.call(Desktop.Inspect.self, .init(), timeout: Self.inspectionSpan)
        let (program, app) = try await inspected(answer.process, &answer)
        answer.state = !broker.isInitialized ? "uninitialized" : broker.unlocked == nil ? "locked" : "ready"
        guard let program, answer.state == "ready" else { return answer }
        let offers = try await associated(with: app) + bound(to: program)
        answer.offers = offers.map {
            .init(
                user: DisplayText($0.identity.user, placeholder: "(no user name)"),
                service: DisplayText(Self.place($0.identity)),
                ground: $0.ground == .association ? "association" : "binding")
        }
        return answer
    }

    /// The program of a process, or why nothing is offered in it.
    private func inspected(
        _ number: Int32, _ answer: inout Desktop.Inspect.Answer
    ) async throws -> (VerifiedProgram?, VerifiedApp?) {
        do throws(CallerRefusal) {
            let (_, program, app) = try await identified(number)
            answer.program = DisplayText(program.place, keeping: .end)
            return (program, app)
        } catch {
            answer.program = DisplayText(PeerProcess(number: number)?.executable?.path ?? "a program", keeping: .end)
            answer.refusal = DisplayText(error.reason, .sentence)
            return (nil, nil)
        }
    }
}
