// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation
internal import PassStore

/// The way from requests to the password store, off the main actor.
///
/// Every request looks at the store anew: it is the user's own folder, and pass and git change it as they please. Changes
/// that are made here are made one after the other.
actor EntryRoute {
    /// So long gpg may take while nobody is asked: the daemon gives a provider five seconds.
    static let quietLimit = Duration.seconds(4)
    /// So long gpg may take while the user is asked.
    static let askingLimit = Duration.seconds(120)
    /// So long gpg may take for a `manage` request, which may ask too; the daemon gives up after a minute.
    static let managingLimit = Duration.seconds(50)

    private let report: IdentityReport
    let programs: any ProgramRunning
    let now: @Sendable () -> Date
    private var launch: ProviderLaunch?
    private(set) var configuration = PassConfiguration()
    private var knowledge = EntryKnowledge()
    private var lastChange: Task<Void, Never>?
    private var lastReport: Task<Void, Never>?

    init(
        store: ASCredentialIdentityStore, programs: any ProgramRunning = ProgramRunner(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        report = IdentityReport(store: store)
        (self.programs, self.now) = (programs, now)
    }

    /// Takes the container, and brings the identity store up to date beside the first requests.
    ///
    /// A store that is not there is not the end: every request then says so, and looks again.
    func open(_ launch: ProviderLaunch) {
        self.launch = launch
        configuration = .read(from: launch.container)
        knowledge = sealedKnowledge?.read() ?? EntryKnowledge()
        trash?.empty(at: now())
        reportSoon()
    }

    /// Where the store and the keys are from now on.
    func configure(_ new: PassConfiguration) throws {
        guard let launch else { throw CredentialManagingError(.internalError, "The provider has not been started.") }
        try new.write(to: launch.container)
        if new.storePath != configuration.storePath {
            // What the entries of another store have inside says nothing about those of this one.
            knowledge.inside = [:]
        }
        configuration = new
        reportSoon()
    }

    var gnupg: Gnupg { PassPlace.gnupg(configuration, programs) }

    var trash: Trash? { launch.map { Trash(container: $0.container, key: $0.key) } }

    private var sealedKnowledge: SealedKnowledge? {
        launch.map { SealedKnowledge(container: $0.container, key: $0.key) }
    }

    /// The store, as it is now.
    func store() throws(PassStoreError) -> StoreFolder { try StoreFolder(path: configuration.storePath) }

    /// The repository that an entry is in, if changes are to be committed and git is there.
    func repository(of folders: [String], in store: StoreFolder) -> GitRepository? {
        guard configuration.commits, let launch, let place = PassPlace.git(launch.container) else { return nil }
        return GitRepository(of: folders, in: store, place, programs: programs)
    }

    /// What the store holds, and what is known of it.
    func listing() throws(PassStoreError) -> (StoreListing, EntryKnowledge) {
        let listing = try store().scan()
        knowledge.forget(except: listing.entries.map(\.name))
        return (listing, knowledge)
    }

    /// What is known now.
    var known: EntryKnowledge { knowledge }

    /// Decrypts an entry and remembers what it shows besides its secrets.
    func open(
        _ name: EntryName, isAsking: Bool, limit: Duration
    ) async throws(PassStoreError) -> (ciphertext: [UInt8], opened: OpenedEntry) {
        let ciphertext = try store().ciphertext(of: name)
        switch try await gnupg.decrypt(ciphertext, isAsking: isAsking, limit: limit) {
        case .refused(let refusal): return (ciphertext, .refused(refusal))
        case .opened(let bytes):
            let text = try EntryText(bytes)
            if knowledge.learn(text, of: name) {
                sealedKnowledge?.write(knowledge)
                reportSoon()
            }
            return (ciphertext, .text(text))
        }
    }

    /// Remembers what an entry that was written here has inside.
    func learn(_ text: EntryText, of name: EntryName) {
        if knowledge.learn(text, of: name) { sealedKnowledge?.write(knowledge) }
    }

    /// Makes a change when those before it are done.
    func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable (isolated EntryRoute) async throws -> Value
    ) async throws -> Value {
        let last = lastChange
        let task = Task {
            await last?.value
            return try await body(self)
        }
        lastChange = Task { _ = await task.result }
        return try await task.value
    }

    /// Brings the identity store up to date, after whoever does that now.
    func reportSoon() {
        let last = lastReport
        lastReport = Task {
            await last?.value
            await self.reportNow()
        }
    }

    /// Waits until the identity store is up to date.
    func reported() async {
        await lastReport?.value
    }

    private func reportNow() async {
        // A store that cannot be read now may be on a disk that comes back: what was told stays.
        guard let (listing, knowledge) = try? listing() else { return }
        let claims = listing.entries.flatMap { knowledge.claims(of: $0.name) }
        let told = await report.push(claims, before: knowledge.reported)
        self.knowledge.reported = told
        sealedKnowledge?.write(self.knowledge)
    }
}

/// What became of an entry that was to be decrypted.
enum OpenedEntry: Sendable {
    case text(EntryText)
    case refused(DecryptionRefusal)
}

/// What is delivered for a request, or why not.
enum EntryAnswer: Sendable {
    /// The whole credential, for this user.
    case credential(user: String, password: SecretText)
    /// A one-time code.
    case code(String)
    /// The user has to be asked, about the key or about whom the entry is for.
    case interactionRequired
    /// There is no such credential.
    case notFound
    /// What to tell the user.
    case failure(sentence: String, hint: String?)

    init(_ error: PassStoreError) {
        self = error.code == .noEntry ? .notFound : .failure(sentence: error.reason, hint: error.hint)
    }
}
