// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Lists apps, and keeps the user's decisions on them (section 9 of `docs/protocol.md`).
@DaemonActor final class KnownApps: SessionObserver {
    let broker: Broker
    let appAssociations: AppAssociations
    /// The hints at apps that can be read while locked.
    private(set) var hints: AppHints

    init(_ broker: Broker, appAssociations: AppAssociations) {
        self.broker = broker
        self.appAssociations = appAssociations
        hints = AppHints(path: broker.directories.state + "/app-hints")
    }

    func sessionBegan() {
        keepHints()
    }

    // MARK: Identification

    /// The facts that a decision on a caller rests on. While locked the user's decisions are unknown.
    func grounds(for caller: CallerIdentity) -> AppPolicy.Grounds {
        var grounds = AppPolicy.Grounds(
            catalog: broker.appFolders.catalog(), decisions: broker.unlocked?.registry.apps ?? [])
        if let sandbox = caller.sandbox {
            grounds.sandboxed = Result { () throws(AppEntitlement.Refusal) in try AppFolders.entitlement(of: sandbox) }
        } else {
            grounds.beside = Self.claim(beside: caller.program.path)
        }
        return grounds
    }

    /// The claim in the entitlement file beside a program. The executable that it names is ignored, because the file is beside this one.
    static func claim(beside path: String) -> AppEntitlement? {
        guard let found = (try? AppEntitlement(file: path + AppEntitlement.suffix)) ?? nil else { return nil }
        return AppEntitlement(
            identifier: found.identifier, domains: found.domains, isDebugBuild: found.isDebugBuild)
    }

    // MARK: Settings

    func apps() async throws -> Apps.List.Answer {
        let decisions = try broker.requireUnlocked().registry.apps
        let grounds = AppPolicy.Grounds(catalog: broker.appFolders.catalog(), decisions: decisions)
        var statements: [AppStatement] = []
        for claim in grounds.catalog.claims { statements.append(await statement(claim, grounds)) }
        for problem in grounds.catalog.problems {
            statements.append(
                AppStatement(
                    identifier: problem.entitlement?.identifier.rawValue ?? "",
                    path: problem.entitlement?.executable ?? problem.file, source: "system", state: "broken",
                    domains: problem.entitlement?.domains ?? [], problem: problem.reason, file: problem.file))
        }
        let places = Set(grounds.catalog.claims.map(\.subject.place))
        for decision in decisions where !places.contains(decision.path) {
            statements.append(await statement(decision, grounds))
        }
        return .init(apps: statements)
    }

    /// Describes a program and its claim, before the user decides on it.
    func look(_ params: AppReference) async throws -> AppAnswer {
        let keys = try broker.requireUnlocked()
        let claim = Self.claim(beside: params.path)
        let decision = keys.registry.decision(on: params.path)
        let domains = claim?.domains ?? decision?.domains ?? []
        do throws(CallerRefusal) {
            let program = try await broker.callers.program(at: params.path)
            return .init(
                app: AppStatement(
                    identifier: claim?.identifier.rawValue ?? decision?.identifier ?? "", path: program.path,
                    digest: program.digest, source: "user", state: program.interpreter == nil ? "unknown" : "broken",
                    domains: domains, problem: program.interpreter,
                    file: claim.map { _ in program.path + AppEntitlement.suffix }))
        } catch {
            throw WireError(.refused, "\(params.path) cannot be an app: \(error.reason).", reason: error.reason)
        }
    }

    /// Records that the user allows a program as an app. The passphrase is required, as for enabling a provider.
    func grant(_ params: Apps.Grant.Params) async throws -> AppAnswer {
        _ = try broker.requireUnlocked()
        guard let identifier = AppIdentifier(params.identifier) else {
            throw WireError(
                .invalidParams, "\(params.identifier.prefix(64)) is not an app identifier.",
                hint: "It is a prefix of ten letters and digits, a dot, and the bundle identifier.")
        }
        guard params.path.hasPrefix("/"), params.domains.count <= 100,
            params.domains.allSatisfy({ $0.utf8.count <= 512 })
        else { throw WireError(.invalidParams, "An app has an absolute path and at most 100 domains.") }
        for entry in params.domains {
            do throws(AssociatedDomain.EntryRefusal) {
                _ = try AssociatedDomain(entry: entry)
            } catch {
                throw WireError(.invalidParams, "\(entry.prefix(64)) names no domain: \(error.rawValue).")
            }
        }
        let program: CallerProgram
        do throws(CallerRefusal) {
            program = try await broker.callers.program(at: params.path)
        } catch {
            throw WireError(.refused, "\(params.path) cannot be an app: \(error.reason).", reason: error.reason)
        }
        guard program.digest == params.digest else {
            throw WireError(
                .refused, "\(params.path) has changed since it was shown.", hint: "Look at it again.")
        }
        if let reason = program.interpreter {
            throw WireError(.refused, "\(params.path) cannot be an app: \(reason).", reason: reason)
        }
        let keys = try broker.requireUnlocked()
        let grounds = AppPolicy.Grounds(catalog: broker.appFolders.catalog(), decisions: keys.registry.apps)
        guard grounds.catalog.claims(of: .executable(program.path)).isEmpty else {
            throw WireError(.alreadyExists, "\(program.path) is an app already, by a file of root's.")
        }
        if let conflict = AppPolicy.conflict(over: identifier, for: .executable(program.path), grounds) {
            throw WireError(
                .refused, "\(identifier) is taken: \(conflict).", reason: conflict,
                hint: "Two programs with one identifier would both be refused.")
        }
        let entitlement = AppEntitlement(identifier: identifier, domains: params.domains)
        try remember(entitlement, of: program, isAllowed: true)
        await appAssociations.declare(entitlement)
        return try await answer(program.path)
    }

    /// Records that the user refuses a program. A granted app becomes refused; an app that root installed is refused until the decision is
    /// forgotten.
    func revoke(_ params: AppReference) async throws -> AppAnswer {
        let keys = try broker.requireUnlocked()
        let catalog = broker.appFolders.catalog()
        if var decision = keys.registry.decision(on: params.path) {
            decision.isAllowed = false
            decision.date = broker.time.date()
            try broker.change { try $0.registry.setDecision(decision) }
        } else if let claim = catalog.claims.first(where: { $0.subject.place == params.path }) {
            let decision = AppDecision(
                path: params.path, digest: "", isAllowed: false, identifier: claim.entitlement.identifier.rawValue,
                domains: claim.entitlement.domains, date: broker.time.date())
            try broker.change { try $0.registry.setDecision(decision) }
        } else {
            throw Self.unknownApp(params.path)
        }
        keepHints()
        broker.logger.notice("app revoked", metadata: ["program": "\(params.path)"])
        return try await answer(params.path)
    }

    func forget(_ params: AppReference) async throws {
        // Forgetting a refusal lets the program ask again, so it takes the passphrase; forgetting a grant only takes something away.
        if let decision = try broker.requireUnlocked().registry.decision(on: params.path), !decision.isAllowed {
            try broker.requireFresh("\(Apps.Forget.name) \(params.path.prefix(200)): no to unknown")
        }
        guard try broker.change({ try $0.registry.forgetDecision(on: params.path) }) else {
            throw Self.unknownApp(params.path)
        }
        keepHints()
        broker.logger.notice("app forgotten", metadata: ["program": "\(params.path)"])
    }

    /// Stores the user's decision on a program.
    func remember(_ claim: AppEntitlement, of program: CallerProgram, isAllowed: Bool) throws {
        let decision = AppDecision(claim, of: program, isAllowed: isAllowed, date: broker.time.date())
        try broker.change { try $0.registry.setDecision(decision) }
        keepHints()
        broker.logger.notice(
            isAllowed ? "app granted" : "app refused",
            metadata: ["app": "\(claim.identifier)", "program": "\(program.path)"])
    }

    /// Writes the hints that can be read while locked.
    func keepHints() {
        guard let apps = broker.unlocked?.registry.apps else { return }
        do {
            try hints.keep(apps)
        } catch {
            broker.logger.error("the list of apps for the locked state cannot be saved")
        }
    }

    // MARK: Parts

    private func answer(_ path: String) async throws -> AppAnswer {
        guard let app = try await apps().apps.first(where: { $0.path == path }) else { throw Self.unknownApp(path) }
        return .init(app: app)
    }

    private func statement(_ claim: AppClaim, _ grounds: AppPolicy.Grounds) async -> AppStatement {
        let entitlement = claim.entitlement
        let decision = grounds.decisions.first { $0.path == claim.subject.place }
        let conflict =
            grounds.catalog.claims(of: claim.subject).count > 1
            ? "several files state which app it is"
            : AppPolicy.conflict(over: entitlement.identifier, for: claim.subject, grounds)
        let isRefused = decision.map { !$0.isAllowed } ?? false
        let source =
            switch claim.subject {
            case .executable: "system"
            case .flatpak: "flatpak"
            case .snap: "snap"
            }
        return AppStatement(
            identifier: entitlement.identifier.rawValue, path: claim.subject.place, source: source,
            state: isRefused ? "refused" : conflict != nil ? "conflict" : "known", domains: entitlement.domains,
            hosts: await appAssociations.confirmedHosts(of: entitlement.identifier), problem: conflict,
            file: claim.file,
            date: isRefused ? decision?.date : nil)
    }

    private func statement(_ decision: AppDecision, _ grounds: AppPolicy.Grounds) async -> AppStatement {
        let identifier = AppIdentifier(decision.identifier)
        var problem: String?
        var state = decision.isAllowed ? "known" : "refused"
        if decision.isAllowed, let identifier {
            do throws(CallerRefusal) {
                let program = try await broker.callers.program(at: decision.path)
                if program.digest != decision.digest { (state, problem) = ("changed", "the file is another one now") }
                if let reason = program.interpreter { (state, problem) = ("broken", reason) }
            } catch {
                (state, problem) = ("broken", error.reason)
            }
            if let conflict = AppPolicy.conflict(over: identifier, for: .executable(decision.path), grounds) {
                (state, problem) = ("conflict", conflict)
            }
        }
        var hosts: [String] = []
        if let identifier, decision.isAllowed { hosts = await appAssociations.confirmedHosts(of: identifier) }
        return AppStatement(
            identifier: decision.identifier, path: decision.path,
            digest: decision.digest.isEmpty ? nil : decision.digest,
            source: "user", state: state, domains: decision.domains, hosts: hosts, problem: problem,
            date: decision.date)
    }

    private static func unknownApp(_ path: String) -> WireError {
        WireError(
            .notFound, "Nothing is known about \(path.prefix(256)).", hint: "`latchkey apps list` shows the known apps."
        )
    }
}
