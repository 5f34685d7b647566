// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Synchronization

/// An app's way to the daemon, for one request at a time: connects when something is asked for.
final class AuthorizationConnection: Sendable {
    /// The one of this process.
    static let shared = AuthorizationConnection(
        Directories(environment: ProcessInfo.processInfo.environment), terminal: RendererTerminal())

    private static let patience = Duration.seconds(30)

    private let directories: Directories?
    private let terminal: RendererTerminal

    /// - Parameters:
    ///   - directories: Where the daemon's socket is.
    ///   - terminal: Where the system may ask.
    init(_ directories: Directories?, terminal: RendererTerminal) {
        self.directories = directories
        self.terminal = terminal
    }

    /// Asks for a password. Throws the daemon's `WireError`; `userCanceled` for all that the app is not to tell apart.
    func requestPassword(isImmediate: Bool) async throws -> ASPasswordCredential {
        let answer = try await asking { peer, surfaces in
            try await peer.call(
                Authorization.Request.self,
                .init(types: ["password"], surfaces: surfaces, immediate: isImmediate ? true : nil))
        }
        guard let password = answer.credential.password else {
            throw WireError(.internalError, "The answer holds no password.")
        }
        // Apple's type holds a String, which cannot be wiped; the app wanted it so.
        return ASPasswordCredential(
            user: answer.credential.user ?? "",
            password: password.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }

    /// Has a password saved. Throws as `requestPassword` does.
    func savePassword(_ password: WireSecret, user: String, url: String, title: String?) async throws {
        _ = try await asking { peer, surfaces in
            try await peer.call(
                Authorization.Save.self,
                .init(url: url, user: user, password: password, title: title, surfaces: surfaces))
        }
    }

    /// Asks that a password is changed; what the extension gave along.
    func changePassword(_ params: Modification.Request.Params) async throws -> WireSecret? {
        try await asking { peer, surfaces in
            var params = params
            params.surfaces = surfaces
            return try await peer.call(Modification.Request.self, params).userInfo
        }
    }

    /// Has the user sign in on a page; the address that it led to.
    func authenticate(_ params: WebAuthentication.Request.Params) async throws -> String {
        try await asking { peer, _ in try await peer.call(WebAuthentication.Request.self, params).url }
    }

    /// Connects for one request, during which the system may draw on the terminal.
    private func asking<Answer: Sendable>(
        _ body: @Sendable (Peer, _ surfaces: [String]) async throws -> Answer
    ) async throws -> Answer {
        guard let directories, let stream = try DaemonConnector.connect(directories, isOwnProgram: false) else {
            throw WireError(.providerUnavailable, "Latchkey does not run.")
        }
        let terminal = self.terminal
        let peer = Peer(stream: stream) { method, params in
            guard method == Authorization.Present.name else {
                throw WireError(.methodNotFound, "An app answers no \(method).")
            }
            let params: Authorization.Present.Params = try params.decoded()
            try terminal.start(params.program, ticket: params.ticket)
            return .object([:])
        }
        peer.start()
        defer { peer.close() }
        let program = Program(name: ProcessInfo.processInfo.processName, version: "0")
        let hello = try await peer.call(
            Session.Hello.self, .init(protocol: 1, client: program), timeout: Self.patience)
        guard hello.role == "client" else {
            throw WireError(.notPermitted, "Latchkey takes this program for something else than an app.")
        }
        do {
            let answer = try await body(peer, terminal.surfaces)
            await terminal.end()
            return answer
        } catch {
            // The renderer gives the terminal back when its request has ended; who asked waits for that.
            if Task.isCancelled { peer.close() }
            await terminal.end()
            throw error
        }
    }
}
