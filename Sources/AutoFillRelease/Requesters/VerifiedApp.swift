// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations

/// An app whose claim to its identifier counts, and the program it runs as.
///
/// Only `AppPolicy` creates these.
package struct VerifiedApp: Hashable, Sendable {
    /// The source that makes the claim count.
    package enum Source: String, Hashable, Sendable {
        /// A root-owned entitlement file for a root-owned executable.
        case system
        case flatpak
        case snap
        /// The user's decision about exactly this file.
        case user
    }

    package let entitlement: AppEntitlement
    package let program: CallerProgram
    package let source: Source

    package var identifier: AppIdentifier { entitlement.identifier }

    fileprivate init(_ entitlement: AppEntitlement, _ program: CallerProgram, _ source: Source) {
        self.entitlement = entitlement
        self.program = program
        self.source = source
    }

    /// The app as the audit log and prompts name it.
    package var description: String { "\(identifier) at \(program.path)" }
}

/// The result of identifying a caller as an app.
package enum AppStanding: Hashable, Sendable {
    case known(VerifiedApp)
    /// The user has not decided yet whether this program is the app that it states to be.
    case unknown(AppEntitlement)
    /// The caller receives nothing; the text is the reason.
    case refused(String)
}

/// Decides which app a caller is.
///
/// A claim counts from root's own files, from flatpak and snap, and by the user's decision about exactly this file. It
/// never counts from what the program says or from its name.
package enum AppPolicy {
    /// The facts that a decision is based on.
    package struct Grounds: Sendable {
        package var catalog: AppCatalog
        /// The user's decisions.
        package var decisions: [AppDecision]
        /// The statement of a sandboxed app, or why it does not count; `nil` for an app without a sandbox.
        package var sandboxed: Result<AppClaim?, AppEntitlement.Refusal>?
        /// The entitlement beside the executable, which anybody may have put there.
        package var beside: AppEntitlement?

        package init(
            catalog: AppCatalog, decisions: [AppDecision],
            sandboxed: Result<AppClaim?, AppEntitlement.Refusal>? = nil, beside: AppEntitlement? = nil
        ) {
            self.catalog = catalog
            self.decisions = decisions
            self.sandboxed = sandboxed
            self.beside = beside
        }
    }

    package static func standing(of caller: CallerIdentity, _ grounds: Grounds) -> AppStanding {
        if caller.sandbox != nil { return sandboxed(caller, grounds) }
        let program = caller.program
        if let reason = program.interpreter { return .refused("interpreters are not recognised as apps: \(reason)") }
        let claims = grounds.catalog.claims(of: .executable(program.path))
        guard claims.isEmpty else { return system(program, claims, grounds) }
        return byTheUser(program, grounds)
    }

    /// The reason why a subject may not claim an identifier because another one does, or `nil` if there is no conflict.
    package static func conflict(
        over identifier: AppIdentifier, for subject: AppClaim.Subject, _ grounds: Grounds
    ) -> String? {
        let others = grounds.catalog.claimants(of: identifier).subtracting([subject])
        if let other = others.map(\.place).min() { return "\(other) claims \(identifier), too" }
        let said = grounds.decisions.first {
            $0.isAllowed && $0.identifier == identifier.rawValue && .executable($0.path) != subject
        }
        return said.map { "you have said that \($0.path) is \(identifier)" }
    }

    /// Whether the user refused an app that root installed. The refusal also holds for newer versions of it.
    private static func isRefused(_ subject: AppClaim.Subject, _ grounds: Grounds) -> Bool {
        grounds.decisions.contains { $0.path == subject.place && !$0.isAllowed }
    }

    private static func sandboxed(_ caller: CallerIdentity, _ grounds: Grounds) -> AppStanding {
        // Others than flatpak and snapd can build a sandbox that looks like theirs, around a program of their own.
        guard case .rootOwned = caller.program.standing else {
            return .refused("its executable does not belong to the app: users other than root can change it")
        }
        switch grounds.sandboxed {
        case .success(let claim?)?:
            if isRefused(claim.subject, grounds) { return .refused("you have said no to it") }
            if let conflict = conflict(over: claim.entitlement.identifier, for: claim.subject, grounds) {
                return .refused(conflict)
            }
            let source: VerifiedApp.Source = if case .snap = claim.subject { .snap } else { .flatpak }
            return .known(VerifiedApp(claim.entitlement, caller.program, source))
        case .failure(let refusal)?: return .refused("its entitlements do not count: \(refusal.reason)")
        case .success(nil)?, nil: return .refused("it states no application-identifier")
        }
    }

    private static func system(
        _ program: CallerProgram, _ claims: [AppClaim], _ grounds: Grounds
    ) -> AppStanding {
        guard case .rootOwned = program.standing else {
            return .refused("its file no longer belongs to root alone")
        }
        if isRefused(.executable(program.path), grounds) { return .refused("you have said no to it") }
        if let code = program.foreignCode {
            return .refused("it has loaded code that users other than root can change: \(code)")
        }
        guard let claim = claims.first, claims.count == 1 else {
            return .refused("several files state which app it is: \(claims.map(\.file).joined(separator: ", "))")
        }
        if let conflict = conflict(over: claim.entitlement.identifier, for: claim.subject, grounds) {
            return .refused(conflict)
        }
        return .known(VerifiedApp(claim.entitlement, program, .system))
    }

    private static func byTheUser(_ program: CallerProgram, _ grounds: Grounds) -> AppStanding {
        if let code = program.foreignCode {
            return .refused("it has loaded code that users other than root can change: \(code)")
        }
        let decision = grounds.decisions.first { $0.path == program.path }
        let isSameFile = decision?.digest == program.digest
        if let decision, isSameFile, !decision.isAllowed { return .refused("you have said no to it") }
        let agreed = decision.flatMap { $0.isAllowed ? $0.entitlement : nil }
        // The program's current statement counts. If it states nothing, the user's earlier decision does.
        guard let claim = grounds.beside ?? agreed else { return .refused("it states no application-identifier") }
        if let conflict = conflict(over: claim.identifier, for: .executable(program.path), grounds) {
            return .refused(conflict)
        }
        guard isSameFile, let agreed, agreed == claim else { return .unknown(claim) }
        return .known(VerifiedApp(agreed, program, .user))
    }
}

extension AppDecision {
    /// The entitlement that the user agreed to, or `nil` if its identifier is not valid.
    package var entitlement: AppEntitlement? {
        AppIdentifier(identifier).map {
            AppEntitlement(identifier: $0, domains: domains, isDebugBuild: isDebugBuild ?? false)
        }
    }

    package init(_ claim: AppEntitlement, of program: CallerProgram, isAllowed: Bool, date: Int64) {
        self.init(
            path: program.path, digest: program.digest, isAllowed: isAllowed, identifier: claim.identifier.rawValue,
            domains: claim.domains, isDebugBuild: claim.isDebugBuild ? true : nil, date: date)
    }
}
