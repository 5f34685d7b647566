// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillRelease
internal import ShownText

/// A git request, the program behind it, and the places where the user can be asked.
package struct GitAsking: Sendable {
    /// An answer that ends the whole git operation.
    package enum Answer: Error {
        case quit
    }

    package let request: GitRequest
    package let caller: GitCaller
    package let client: any QuestionClient
    package let hasTerminal: Bool
    /// Whether the user has already typed the passphrase for this request.
    package var hasGivenPassphrase = false

    package init(request: GitRequest, caller: GitCaller, client: any QuestionClient, hasTerminal: Bool) {
        self.request = request
        self.caller = caller
        self.client = client
        self.hasTerminal = hasTerminal
    }

    /// The surface to ask on. A display is preferred, because programs in the terminal cannot imitate a pinentry.
    package func surface(_ desk: PromptDesk) -> AuthenticationPolicy.Surface {
        desk.hasPinentry ? .window : .terminal
    }

    /// The key under which refusals to unlock are remembered.
    package var limit: String { "git \(caller.program) \(request.site)" }

    /// The key under which refusals of a login are remembered: a no to one user that git names says nothing about another.
    package var loginLimit: String { limit + (request.user.map { " as " + $0 } ?? "") }

    /// Has the helper ask on its terminal.
    package func onTerminal(
        _ kind: String, accounts: [GitAccount] = [], message: String? = nil, takesPIN: Bool = false
    ) async throws -> Git.Ask.Answer {
        guard hasTerminal, let peer = client.peer else {
            throw WireError(.authenticationRequired, "You cannot be asked here: there is no display and no terminal.")
        }
        let answer = try await peer.call(
            Git.Ask.self,
            .init(
                kind: kind, requester: caller.sentence, site: DisplayText(request.site), accounts: accounts,
                message: message, takesPIN: takesPIN ? true : nil),
            timeout: .seconds(130))
        if answer.quit == true { throw Answer.quit }
        return answer
    }
}

extension GitCaller {
    /// The purpose as written to the audit log.
    package var purpose: String { isByGit ? "git, started by \(program)" : program }
}
