// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// What there is of GnuPG.
public struct GnupgState: Sendable, Equatable {
    /// The version of gpg; nothing when it cannot be started.
    public var version: String?
    /// The version of the agent that answers; nothing when none does.
    public var agent: String?
    /// The names of the user's own keys.
    public var keys: [String]
}

extension Gnupg {
    /// Looks for gpg, the agent and the user's keys.
    public func state() async -> GnupgState {
        let version = await lines(place.gpg, ["--version"]).first?.split(separator: " ").last.map(String.init)
        guard let version else { return GnupgState(version: nil, agent: nil, keys: []) }
        let keys = await lines(
            place.gpg,
            ["--no-autostart", "--batch", "--no-tty", "--with-colons"] + homeArguments + ["--list-secret-keys"]
        )
        return GnupgState(
            version: version, agent: (try? await agentVersion()) ?? nil, keys: keys.compactMap(Self.name)
        )
    }

    /// The version of the agent; nothing when none answers.
    func agentVersion() async throws(PassStoreError) -> String? {
        let end = try await programs.run(
            ProgramCall(
                place.connectAgent, ["--no-autostart"] + homeArguments + ["GETINFO version", "/bye"],
                environment: place.environment, limit: .seconds(5)
            )
        )
        // `D 2.2.40`, then `OK`: without an agent it says nothing, and ends as if all were well.
        return Self.text(end).split(separator: "\n").first { $0.hasPrefix("D ") }.map { String($0.dropFirst(2)) }
    }

    private func lines(_ program: String, _ arguments: [String]) async -> [Substring] {
        let call = ProgramCall(program, arguments, environment: place.environment, limit: .seconds(10))
        guard let end = try? await programs.run(call), end.isSuccess else { return [] }
        return Self.text(end).split(separator: "\n")
    }

    private static func text(_ end: ProgramEnd) -> String {
        end.output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The user's name of a `uid` line, without what could do something to whoever reads it.
    private static func name(_ line: Substring) -> String? {
        let members = line.split(separator: ":", omittingEmptySubsequences: false)
        guard members.count > 9, members[0] == "uid" else { return nil }
        let name = members[9].unicodeScalars.filter { !NameFault.controls($0) }
        return String(String.UnicodeScalarView(name.prefix(200)))
    }
}
