// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillRelease
internal import AutoFillSecrets

/// Says which files of Latchkey are damaged or cannot be written, and makes those anew that can be had without losing more.
@DaemonActor final class StoredFiles {
    let broker: Broker
    let items: SavedItems

    /// What can be made anew.
    private enum Repair {
        case keyring, registry, vault, peers, preferences, login
    }

    /// A file with a problem.
    private struct Finding {
        let problem: FileProblem
        /// How it is made anew; `nil` where that takes a backup, or where it ends by itself.
        let repair: Repair?

        init(_ path: String, _ problem: String, hint: String, repair: Repair? = nil) {
            self.problem = FileProblem(path: path, problem: problem, hint: hint)
            self.repair = repair
        }
    }

    private static let restoring = "Put a backup in its place: `latchkey restore FILE --replace`."
    private static let makingRoom = "Make room, or make the folder writable."

    init(_ broker: Broker, items: SavedItems) {
        self.broker = broker
        self.items = items
    }

    /// The files that are damaged or cannot be written now.
    func problems() -> [FileProblem] {
        findings().map(\.problem)
    }

    /// The files that were moved out of the way.
    var setAside: [String] {
        let directories = broker.directories
        let vault = directories.data + "/containers/" + BundleIdentifier.builtIn.rawValue
        return [directories.config, directories.data, vault, directories.state].flatMap(SetAside.files)
    }

    /// Moves damaged files out of the way and makes new ones, where nothing more is lost by that.
    func repair() async -> Settings.Repair.Answer {
        var repaired: [Settings.Repair.File] = []
        var left: [FileProblem] = []
        if broker.unlocked != nil { await items.look() }
        for finding in findings() {
            guard let repair = finding.repair else {
                left.append(finding.problem)
                continue
            }
            do {
                let outcome = try await make(repair, at: finding.problem.path)
                repaired.append(.init(path: finding.problem.path, outcome: outcome))
            } catch {
                var problem = finding.problem
                let error = WireError(saying: error)
                (problem.problem, problem.hint) = (error.message, error.hint ?? problem.hint)
                left.append(problem)
            }
        }
        return .init(repaired: repaired, files: left, setAside: setAside, locked: broker.unlocked == nil)
    }

    /// Makes a file anew, and says what was lost.
    private func make(_ repair: Repair, at path: String) async throws -> String {
        if repair == .vault { return try await items.repairVault() }
        let isKnown = !broker.preferencesFile.isDamaged
        if SmallFile.isThere(path) { _ = try SetAside.move(path, as: .damaged) }
        switch repair {
        case .keyring: try broker.keyringFile.rewrite()
        case .registry: try AtomicFile.write(broker.requireUnlocked().registry.encoded(), to: path)
        case .preferences:
            try broker.preferencesFile.apply(.init())
            guard isKnown else {
                return
                    "What it said is lost: the strictest settings count until you choose others with `latchkey preferences set`."
            }
        case .peers: return "What it said is lost: `latchkey browser trust PATH` adds a browser again."
        case .login: return "Logging in no longer unlocks: `latchkey login enable` lets it again."
        case .vault: break
        }
        return "It was written again from memory; nothing is lost."
    }

    private func findings() -> [Finding] {
        [keyring, registry, vault, peers, preferences, login, audit, identities].compactMap(\.self)
    }

    private var keyring: Finding? {
        guard let problem = broker.keyringFile.check() else { return nil }
        let path = broker.directories.data + "/keyring"
        guard broker.isInitialized else {
            return Finding(path, problem.message, hint: problem.hint ?? Self.restoring)
        }
        return Finding(
            path, problem.message, hint: "`latchkey repair` writes it again, before the daemon ends.", repair: .keyring)
    }

    private var registry: Finding? {
        let path = broker.directories.data + "/registry"
        guard let unlocked = broker.unlocked else {
            // While locked only the last unlock tells, because the file is sealed.
            guard let fault = broker.unlockFault, fault.code == .storageFailed, fault.message.hasPrefix(path) else {
                return nil
            }
            return Finding(path, fault.message + " Latchkey cannot be unlocked without it.", hint: Self.restoring)
        }
        guard let fault = unlocked.registry.fault else { return nil }
        return Finding(
            path, fault.message, hint: "`latchkey repair` writes it again, before Latchkey locks.", repair: .registry)
    }

    private var vault: Finding? {
        guard let fault = items.vaultFault else { return nil }
        return Finding(
            broker.directories.data + "/containers/" + BundleIdentifier.builtIn.rawValue, fault.message,
            hint: fault.hint ?? Self.restoring, repair: broker.unlocked == nil ? nil : .vault)
    }

    private var peers: Finding? {
        let path = PeersFile.path(in: broker.directories)
        do {
            _ = try PeersFile(contentsOf: path)
            return nil
        } catch {
            return Finding(
                path, "\(error.message) The browsers and programs that you added in it are not believed.",
                hint: "Correct it and start the daemon again, or run `latchkey repair`.", repair: .peers)
        }
    }

    private var preferences: Finding? {
        let path = PreferencesFile.path(in: broker.directories)
        guard PreferencesFile(path: path).isDamaged else { return nil }
        guard broker.preferencesFile.isDamaged else {
            return Finding(
                path, "\(path) cannot be read.", hint: "`latchkey repair` writes it again.", repair: .preferences)
        }
        return Finding(
            path, "\(path) cannot be read. The strictest settings count meanwhile.",
            hint: "Correct it and start the daemon again, or run `latchkey repair`.", repair: .preferences)
    }

    private var login: Finding? {
        guard broker.login.state(keyring: broker.keyringFile.keyring) == "damaged" else { return nil }
        let path = broker.directories.data + "/login-key"
        return Finding(
            path, "\(path) cannot be read. Logging in does not unlock.", hint: "Run `latchkey repair`.", repair: .login)
    }

    private var audit: Finding? {
        broker.audit.retry()
        guard let fault = broker.audit.fault else { return nil }
        let end = broker.audit.isOpen ? "It goes on by itself then." : "Then run `latchkey lock` and `latchkey unlock`."
        return Finding(
            broker.directories.state + "/audit.log",
            "The audit log cannot be written: \(fault). Nothing is released that cannot be logged.",
            hint: Self.makingRoom + " " + end)
    }

    private var identities: Finding? {
        guard let fault = broker.unlocked?.stores.values.lazy.compactMap(\.fault).first else { return nil }
        return Finding(
            broker.directories.state + "/identities",
            "The index of saved accounts cannot be kept: \(fault). It is in memory, and everything works.",
            hint: Self.makingRoom + " The next unlock keeps it again.")
    }
}
