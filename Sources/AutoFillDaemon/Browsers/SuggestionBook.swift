// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillSecrets

/// The sessions of focused forms and the handles of their suggestions.
///
/// A handle is a random name for one suggestion in one session. It works once, for the connection that was given it,
/// and ends with its session: nothing that a page or another process may have seen can be used again.
struct SuggestionBook: Sendable {
    /// A form that has the focus, in one document of one connection.
    struct Session: Sendable {
        let connection: Int
        let tab: Int
        let frame: Int
        let document: String
        /// A failure if the frame chain was refused; then no suggestion is offered.
        let origin: Result<VerifiedOrigin, OriginVerifier.Refusal>
        let fields: [FieldRoleAnswer]
        /// `nil` if the page does not say it, or says none that is one.
        let path: PagePath?
        let began: ContinuousClock.Instant
        /// The rules that the fields state for a new password; `nil` if they do not take one.
        var newPassword: NewPasswordForm?
        /// Whether the user has shown who they are, to see everything that is saved.
        fileprivate var isListed = false

        init(
            connection: Int, tab: Int, frame: Int, document: String,
            origin: Result<VerifiedOrigin, OriginVerifier.Refusal>, fields: [FieldRoleAnswer],
            path: PagePath? = nil, began: ContinuousClock.Instant, newPassword: NewPasswordForm? = nil
        ) {
            self.connection = connection
            self.tab = tab
            self.frame = frame
            self.document = document
            self.origin = origin
            self.fields = fields
            self.path = path
            self.began = began
            self.newPassword = newPassword
        }
    }

    /// The suggestion that a handle stands for.
    struct Choice: Sendable {
        let session: String
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        /// Whether it is a new password, which has not been generated yet.
        var isNew = false
    }

    static let lifetime = Duration.seconds(600)
    /// Sessions kept for one connection; older ones end.
    static let sessionLimit = 256
    /// Handles kept for one session; older ones end.
    static let handleLimit = 2_000

    private var sessions: [String: Session] = [:]
    private var choices: [String: Choice] = [:]
    /// The handles of each session, in the order in which they were made.
    private var handles: [String: [String]] = [:]
    private let makeName: @Sendable () -> String
    /// The front desk, which begins sessions after it has answered their pages.
    private let front: FrontDesk?

    init(front: FrontDesk? = nil, makeName: @escaping @Sendable () -> String = RandomName.make) {
        self.front = front
        self.makeName = makeName
    }

    /// Takes over the sessions that have begun at the front desk.
    private mutating func admit() {
        for (name, session) in front?.takeArrived() ?? [] { begin(session, as: name) }
    }

    /// Begins a session; earlier ones of the same document end.
    mutating func begin(_ session: Session) -> String {
        admit()
        let name = makeName()
        begin(session, as: name)
        return name
    }

    private mutating func begin(_ session: Session, as name: String) {
        endKnown(where: {
            $0.connection == session.connection && $0.tab == session.tab && $0.document == session.document
        })
        endKnown(where: { session.began - $0.began > Self.lifetime })
        let mine = sessions.filter { $0.value.connection == session.connection }
        if mine.count >= Self.sessionLimit, let oldest = mine.min(by: { $0.value.began < $1.value.began }) {
            end(oldest.key)
        }
        sessions[name] = session
    }

    /// The named session, if it belongs to this connection and has not expired.
    mutating func session(_ name: String, of connection: Int, at now: ContinuousClock.Instant) -> Session? {
        admit()
        guard let session = sessions[name], session.connection == connection, now - session.began <= Self.lifetime
        else { return nil }
        return session
    }

    /// Whether everything that is saved may be listed for a session.
    func isListed(_ name: String) -> Bool { sessions[name]?.isListed ?? false }

    mutating func noteListed(_ name: String) {
        sessions[name]?.isListed = true
    }

    /// A handle for a suggestion of a session.
    mutating func offer(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, in session: String, isNew: Bool = false
    ) -> String {
        let name = makeName()
        choices[name] = Choice(session: session, provider: provider, identity: identity, isNew: isNew)
        handles[session, default: []].append(name)
        if handles[session, default: []].count > Self.handleLimit {
            let oldest = handles[session, default: []].removeFirst()
            choices[oldest] = nil
        }
        return name
    }

    /// Uses up a handle, and returns its session and suggestion; `nil` if the handle was used before or its session has ended.
    mutating func take(_ handle: String, of connection: Int, at now: ContinuousClock.Instant)
        -> (Session, Choice)?
    {
        guard let choice = choices[handle], let session = session(choice.session, of: connection, at: now) else {
            return nil
        }
        choices[handle] = nil
        return (session, choice)
    }

    /// Ends the sessions that a predicate names, and their handles.
    mutating func end(where predicate: (Session) -> Bool) {
        admit()
        endKnown(where: predicate)
    }

    private mutating func endKnown(where predicate: (Session) -> Bool) {
        for (name, session) in sessions where predicate(session) { end(name) }
    }

    mutating func endAll() {
        admit()
        sessions = [:]
        choices = [:]
        handles = [:]
    }

    private mutating func end(_ name: String) {
        sessions[name] = nil
        for handle in handles.removeValue(forKey: name) ?? [] { choices[handle] = nil }
    }
}
