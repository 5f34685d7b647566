// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Foundation
internal import Logging
internal import ShownText

/// The facts on which a release's demand on the user depends.
struct ConsentRequest: Sendable {
    let identity: CredentialIdentity
    let provider: BundleIdentifier
    let origin: VerifiedOrigin
    let match: Match
    /// The reason why it would not be offered here, if the user wants to use it nevertheless.
    let foreign: MatchRefusal?
    let surface: AuthenticationPolicy.Surface
    /// Whether account and place need no yes: it was saved for exactly this, or the user has said so before.
    let isSettled: Bool
    /// What the browser says of the row that was chosen, and of the fields.
    var sight: PlainSight
    let interaction: ProviderInteraction
    /// The epoch in which the credential was requested.
    let epoch: UserAct.Epoch
    /// Whether nothing may be asked: what would need a question ends as if the user had canceled it.
    var isUnasked = false
    /// Whether it is a code that follows the password of its account into the same document.
    var followsPassword = false

    var account: FillLimit.Account { .init(identity, of: provider) }

    /// The page around a frame of another site, which the question has to name.
    var top: Origin? {
        let chain = origin.chain
        let isFrame = match.consent.contains { if case .frame = $0 { true } else { false } }
        return isFrame || (foreign != nil && chain.top != chain.document) ? chain.top : nil
    }
}

/// Asks for the user's consents outside every page, remembers them, and takes them back.
@DaemonActor final class UserConsents: SessionObserver {
    let broker: Broker
    let providers: InstalledProviders
    let questions: UserQuestions
    let auditTrail: AuditTrail
    private var fillLimit = FillLimit()

    init(_ broker: Broker, providers: InstalledProviders, questions: UserQuestions, auditTrail: AuditTrail) {
        self.broker = broker
        self.providers = providers
        self.questions = questions
        self.auditTrail = auditTrail
        broker.add(self)
    }

    /// It names accounts.
    func sessionEnded() { fillLimit = FillLimit() }

    // MARK: Asking

    /// The consents that a match demands and the user has not given before.
    func open(_ match: Match, for identity: CredentialIdentity, of provider: BundleIdentifier, in chain: FrameChain)
        -> [Consent]
    {
        guard !match.consent.isEmpty, let registry = broker.unlocked?.registry else { return match.consent }
        return match.consent.filter { consent in
            consent.subject(of: identity, provider, in: chain).map { !registry.holds($0) } ?? true
        }
    }

    /// Asks the user as the match and the policy demand, and says what they agreed to.
    func agreement(_ given: ConsentRequest, client: ClientConnection) async throws -> UserAct {
        var request = given
        var yes: ConsentBook.Subject?
        // A password from another site is asked about each time anyway, so no yes is kept for it.
        if given.foreign == nil, given.match.decision != .shared {
            (request.sight, yes) = sight(given.sight, of: given.identity, given.provider, at: given.origin)
        }
        let open = open(request.match, for: request.identity, of: request.provider, in: request.origin.chain)
        let isTooMany = request.identity.type == .password && !reserve(request.account, in: request.epoch)
        let demanded: AuthenticationPolicy.Requirement =
            request.foreign != nil || isTooMany
            ? .authentication : open.isEmpty && request.sight.doubts.isEmpty ? .nothing : .confirmation
        let subject = ActSubject(
            identity: request.identity, provider: request.provider, destination: .document(request.origin),
            epoch: request.epoch)
        let agreements = Set(request.match.consent.map(UserAct.Agreement.to))
        if request.interaction != .none, demanded != .authentication {
            // The provider has authenticated the user, or needs no authentication; it cannot ask for what this match demands. An interface
            // that ends by itself does not show what the user wants, so a tap in a page is confirmed as without one.
            let isTap = request.surface == .bar && !(request.isSettled && request.sight.report.held)
            if demanded == .confirmation || (request.interaction == .shown && isTap) {
                try requireQuestions(request)
                let (question, requester) = await question(request, open, .confirm, yes, client)
                try await questions.askUser(question, as: requester, over: client)
                note(yes)
            }
            // The log says where the user acted: in the provider's window, or on the row alone.
            let surface = request.interaction == .acted ? .window : request.surface
            return questions.interfaceAct(on: subject, surface: surface, agreements: agreements)
        }
        let choice = UserChoice(
            surface: request.surface, isFill: true, isSettled: request.isSettled, guardHeld: request.sight.report.held,
            demanded: demanded, followsPassword: request.followsPassword)
        if let act = questions.unaskedAct(on: subject, by: choice, agreements: agreements) { return act }
        try requireQuestions(request)
        let requirement = broker.requirement(of: choice)
        let kind: PromptDesk.Question.Kind =
            request.foreign != nil ? .foreign : requirement == .confirmation ? .confirm : .authenticate
        var (question, requester) = await question(request, open, kind, yes, client)
        if isTooMany {
            question.isRoutine = false
            question.reasons.append(DisplayText(FillLimit.sentence, .sentence))
        }
        let act = try await questions.askedAct(
            on: subject, by: question, as: requester, over: client, surface: request.surface,
            requirement: requirement, otherwise: broker.standingAuthentication(isFill: true)
        ) { answer in
            agreements.union(request.foreign != nil ? [.foreign] : []).union(answer.keeps ? [.keeping] : [])
        }
        if isTooMany, act.authentication == .passphrase {
            fillLimit.count(request.account, wasProven: true, in: request.epoch, at: broker.time.now())
        }
        note(yes)
        return act
    }

    private func requireQuestions(_ request: ConsentRequest) throws {
        if request.isUnasked { throw WireError(.userCanceled, "It would have to be asked about.") }
    }

    /// The question, and the requester under which its refusal is remembered.
    private func question(
        _ request: ConsentRequest, _ open: [Consent], _ kind: PromptDesk.Question.Kind, _ yes: ConsentBook.Subject?,
        _ client: ClientConnection
    ) async -> (PromptDesk.Question, requester: String) {
        let (origin, match) = (request.origin.origin, request.match)
        var question = PromptDesk.Question(
            kind: kind, requester: client.requester, site: origin.description, user: request.identity.user,
            provider: broker.name(of: request.provider))
        // An agreement that outlasts this fill takes the passphrase. Using an account on another host of its site is one.
        let isKnown = request.match.decision != .sameSite || request.isSettled
        question.isRoutine = isKnown && open.isEmpty && yes == nil && request.foreign == nil
        if request.identity.type == .oneTimeCode { question.thing = "code" }
        question.top = request.top.map { DisplayText($0.description) }
        if match.needsLabel || request.foreign != nil { question.savedFor = DisplayText(match.savedFor) }
        question.reasons += reasons(request, yes)
        question.reasons += request.sight.doubts.sentences.map { DisplayText($0, .sentence) }
        // The sentence about a frame says that the answer is kept. That would be untrue if frames are asked about each time.
        let asksInFrames = request.sight.report.reason == Self.framed || (request.sight.isUnstatedAlone && yes == nil)
        question.reasons += open.filter { if case .frame = $0 { !asksInFrames } else { true } }.map {
            DisplayText($0.sentence(site: origin.written), .sentence)
        }
        if let foreign = request.foreign {
            let imitation = broker.rules.lookalikes.verdict(saved: SavedService(request.identity), page: origin)
            if let imitation {
                question.reasons.append(
                    "\(DisplayText(imitation.sentence, .sentence)) The two names only look alike.")
            }
            question.reasons.append("It is not offered here: \(foreign.rawValue).")
            question.mayKeep = await mayKeep(request.identity, of: request.provider)
        }
        // A no in a frame is remembered for the page around it, which could otherwise hold one frame after another.
        let requester = request.top.map { "a frame in " + $0.description } ?? origin.description
        return (question, requester)
    }

    /// Why a fill is asked about that is of this account and page, and whether that is so once or each time.
    private func reasons(_ request: ConsentRequest, _ yes: ConsentBook.Subject?) -> [DisplayText] {
        var reasons: [DisplayText] = []
        if request.match.decision == .sameSite {
            reasons.append("It was saved for another host of this site. You are asked once.")
        }
        guard request.foreign == nil else { return reasons }
        if request.sight.isUnstatedAlone {
            let thing = request.identity.type == .oneTimeCode ? "code" : "password"
            reasons.append(Self.sentence(of: request.sight, once: yes == nil ? nil : thing))
        }
        guard request.surface == .bar || request.surface == .popup else { return reasons }
        if !request.origin.origin.isPotentiallyTrustworthy {
            let often: DisplayText = request.origin.origin.isLocal ? "once" : "each time"
            reasons.append("This page is not encrypted. You are asked \(often).")
        }
        guard !request.sight.report.held else { return reasons }
        switch request.sight.report.reason {
        case GuardReport.unstated: break
        case Self.framed:
            reasons.append(
                "This browser does not say what lies over a suggestion inside another page. You are asked each time.")
        case "not asked for":
            reasons.append("You did not click the field of this suggestion. You are asked this time.")
        case "window above":
            reasons.append("A window or video that floats may have been over the suggestion. You are asked this time.")
        default:
            reasons.append("Something may have been over the suggestion, or moved it. You are asked this time.")
        }
        return reasons
    }

    // MARK: What a browser does not state

    /// The guard's reason for a bar in a frame, in a browser that does not say what covers one.
    private static let framed = "framed"

    /// Why a fill is asked about in a browser that states less than others.
    ///
    /// - Parameter thing: what it is asked about once for; `nil` where it is asked about each time.
    static func sentence(of sight: PlainSight, once thing: String?) -> DisplayText {
        let what = sight.report.held ? "whether the fields are in plain sight" : "what lies over a suggestion"
        let often = thing.map { "once for this \($0) on this site" } ?? "each time"
        return DisplayText("This browser does not say \(what). You are asked \(often).", .sentence)
    }

    /// What a browser has found out, with the user's earlier yes in the place of what it does not state.
    ///
    /// - Returns: beside it the yes that would stand in for that from now on; `nil` where none can, or where it was given before.
    func sight(
        _ sight: PlainSight, of identity: CredentialIdentity, _ provider: BundleIdentifier, at origin: VerifiedOrigin
    ) -> (PlainSight, ConsentBook.Subject?) {
        guard let yes = sight.consent(for: identity, provider, at: origin) else { return (sight, nil) }
        return broker.unlocked?.registry.holds(yes) == true ? (.certain, nil) : (sight, yes)
    }

    /// Remembers a yes. The call does not wait for the write: after a crash the user is asked once more.
    func note(_ yes: ConsentBook.Subject?) {
        guard let yes else { return }
        broker.unlocked?.registry.note(yes, at: broker.time.date())
    }

    // MARK: Remembering

    /// Counts a fill before it is asked about, so that many at once are not all free. False where it takes the passphrase.
    private func reserve(_ account: FillLimit.Account, in epoch: UserAct.Epoch) -> Bool {
        guard !fillLimit.isReached(by: account, in: epoch, at: broker.time.now()) else { return false }
        fillLimit.count(account, wasProven: false, in: epoch, at: broker.time.now())
        return true
    }

    /// Remembers that a credential went to an origin, and the user's consents for it. The call does not wait for the write: after a crash
    /// the user is asked once more.
    func remember(
        _ digest: Data, _ consents: [Consent], of identity: CredentialIdentity, _ provider: BundleIdentifier,
        in chain: FrameChain
    ) {
        for consent in consents {
            guard let subject = consent.subject(of: identity, provider, in: chain) else { continue }
            broker.unlocked?.registry.note(subject, at: broker.time.date())
        }
        auditTrail.remember(digest)
    }

    func consents() throws -> Consents.List.Answer {
        let consents = try broker.requireUnlocked().registry.consents.consents
        return .init(
            consents: consents.reversed().map { consent in
                ConsentStatement(
                    id: consent.id, kind: consent.kind.rawValue, top: consent.top, origin: consent.origin,
                    provider: consent.provider, service: TextCleaner.cleaned(consent.service),
                    user: TextCleaner.cleaned(consent.user), date: consent.date)
            })
    }

    func forgetConsents(_ params: Consents.Forget.Params) async throws -> Consents.Forget.Answer {
        let ids = params.ids.map { Set($0) }
        let count = try await broker.unlockedSession().changeRegistry { registry in
            try registry.forgetConsents { ids?.contains($0.id) ?? true }
        }
        if count > 0 { broker.tellBrowsers() }
        return .init(forgotten: count)
    }

    // MARK: Also use here

    /// Whether this place can be added to the services of the provider's credential.
    private func mayKeep(_ identity: CredentialIdentity, of provider: BundleIdentifier) async -> Bool {
        guard identity.recordIdentifier != nil else { return false }
        return await providers.supervisor(of: provider).isManaged
    }

    /// Has the provider add a place to a credential. Returns a message for the user if that failed, else `nil`.
    func keep(_ origin: Origin, in identity: CredentialIdentity, of provider: BundleIdentifier) async -> String? {
        do {
            guard let id = identity.recordIdentifier else { throw WireError(.notFound, "The account has no record.") }
            let (supervisor, launch) = (providers.supervisor(of: provider), try await providers.launch(of: provider))
            let found: ItemAnswer = try await supervisor.manage(
                "manage.get", JSONValue(encoding: ItemReference(id: id)), launch: launch
            ).withoutSecrets.decoded()
            let services = found.item.services
            guard found.item.user == identity.user else {
                throw WireError(.notFound, "The item belongs to another account now.")
            }
            guard !services.contains(origin.written) else { return nil }
            _ = try await supervisor.manage(
                "manage.edit", JSONValue(encoding: ItemChanges(id: id, services: services + [origin.written])),
                launch: launch)
            if provider == .builtIn { auditTrail.itemsChanged() }
            return nil
        } catch {
            broker.logger.warning(
                "a place could not be added to an item",
                metadata: ["provider": "\(provider)", "error": "\(WireError(saying: error).message)"])
            return "It was filled, but could not be kept for \(origin.written): \(WireError(saying: error).message)"
        }
    }
}
