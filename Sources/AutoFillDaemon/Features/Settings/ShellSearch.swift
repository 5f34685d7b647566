// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// Decides whether a process is the desktop's own search, which may see sites and user names.
@DaemonActor final class ShellSearch {
    private let broker: Broker

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// The file name of GNOME Shell. It runs scripts of its extensions, which the user has installed; so it would count as an interpreter
    /// elsewhere, and is never given more than a search shows.
    private static let shell = "gnome-shell"

    func admit(_ params: Search.Admit.Params) async throws {
        guard broker.preferences.shellSearch == true else {
            throw WireError(.notPermitted, "The desktop's search finds no accounts, by a preference.")
        }
        _ = try broker.requireUnlocked()
        let refusal = WireError(.notPermitted, "Only the desktop's own search is answered.")
        guard let process = PeerProcess(number: params.process),
            let caller = try? await broker.callers.identity(of: process), caller.sandbox == nil,
            caller.program.standing == .rootOwned, caller.program.foreignCode == nil,
            caller.program.path.hasSuffix("/" + Self.shell)
        else { throw refusal }
        // A lock may have come meanwhile.
        _ = try broker.requireUnlocked()
    }
}
