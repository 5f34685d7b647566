// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Glibc

/// How many connections each peer may have.
///
/// Each kind of peer has a share of its own, so that none can keep another kind out. Within a share, one process and one
/// program have a part only. All shares together leave descriptors for what the daemon opens itself.
struct ConnectionQuota: Sendable {
    /// A kind of peer, by its role.
    enum Kind: CaseIterable, Sendable {
        case settings, browser, git, app, stranger
        /// Not yet checked whether it is a provider's containing app, which takes milliseconds.
        case arriving
        /// As a browser in a sandbox comes, as long as it is not known to be one.
        case sandboxed

        init(_ role: PeerRole) {
            self =
                switch role {
                case .settings, .login, .desktop: .settings
                case .browser: .browser
                case .git: .git
                case .app: .app
                case .client, .none: .stranger
                }
        }

        /// Maximum number of connections, if there are enough descriptors.
        fileprivate var share: Int {
            switch self {
            case .settings, .browser, .app, .stranger: 48
            case .git, .arriving: 24
            case .sandboxed: 16
            }
        }

        /// The share of the lockable memory, in sixteenths.
        var sixteenths: Int {
            switch self {
            case .settings, .browser: 2
            case .git, .app, .stranger: 1
            // Messages are charged to the kind that the peer turns out to be.
            case .arriving, .sandboxed: 0
            }
        }

        /// Whether the programs of this kind are Latchkey's own, which all of the user's processes share.
        fileprivate var isOwn: Bool {
            switch self {
            case .settings, .browser, .git: true
            case .app, .stranger, .arriving, .sandboxed: false
            }
        }
    }

    /// A counted connection, to be given back with `leave` when it ends.
    struct Place: Hashable, Sendable {
        fileprivate var kind: Kind
        fileprivate let process: Int32
        fileprivate let program: PeerProcess.Executable?
    }

    /// Descriptors of one connection: the socket, its process, and the process above it.
    static let descriptorsEach = 3
    /// Number of descriptors reserved for files, providers and questions that the daemon opens itself.
    static let reserve = 256

    private let shares: [Kind: Int]
    private var places: [Place: Int] = [:]

    /// - Parameter descriptors: how many descriptors the process may have (`RLIMIT_NOFILE`).
    init(descriptors: Int) {
        let wanted = Kind.allCases.reduce(0) { $0 + $1.share }
        // With few descriptors the reserve is half of them.
        let free = max(descriptors - Self.reserve, descriptors / 2) / Self.descriptorsEach
        shares = Dictionary(
            uniqueKeysWithValues: Kind.allCases.map { kind in
                (kind, free >= wanted ? kind.share : max(1, kind.share * free / wanted))
            })
    }

    /// The limit of this process.
    static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Maximum number of connections of all kinds together.
    var limit: Int { shares.values.reduce(0, +) }

    /// Counts a connection, or refuses it with a reason.
    ///
    /// - Parameter isSandboxed: Whether it came as a browser in a sandbox does.
    mutating func enter(
        _ role: PeerRole, process: Int32, program: PeerProcess.Executable?, isSandboxed: Bool = false
    ) -> Result<Place, WireError> {
        let kind: Kind = isSandboxed ? .sandboxed : role == .client ? .arriving : Kind(role)
        let place = Place(kind: kind, process: process, program: program)
        if let refusal = refusal(of: place) { return .failure(refusal) }
        places[place, default: 0] += 1
        return .success(place)
    }

    /// Moves a connection to the share of its final role, or refuses it with a reason.
    mutating func move(_ place: Place, to role: PeerRole) -> Result<Place, WireError> {
        var moved = place
        if case .none = role, place.kind == .sandboxed { return .success(place) }
        moved.kind = Kind(role)
        guard moved != place else { return .success(place) }
        if let refusal = refusal(of: moved) { return .failure(refusal) }
        leave(place)
        places[moved, default: 0] += 1
        return .success(moved)
    }

    mutating func leave(_ place: Place) {
        guard let count = places[place] else { return }
        places[place] = count > 1 ? count - 1 : nil
    }

    private func refusal(of place: Place) -> WireError? {
        let share = shares[place.kind] ?? 0
        let same = places.filter { $0.key.kind == place.kind }
        func count(_ isMeant: (Place) -> Bool) -> Int { same.reduce(0) { $0 + (isMeant($1.key) ? $1.value : 0) } }
        func refused(_ whose: String, _ most: Int) -> WireError {
            WireError(
                .busy, "\(whose) already has \(most) connections to Latchkey, the maximum.",
                reason: "too many connections", hint: "End some of them and try again.")
        }
        let ofProcess = max(1, share / 2)
        if count({ $0.process == place.process }) >= ofProcess { return refused("This process", ofProcess) }
        let ofProgram = max(1, share * 3 / 4)
        if !place.kind.isOwn, count({ $0.program == place.program }) >= ofProgram {
            return refused("This program", ofProgram)
        }
        return count { _ in true } >= share ? refused("This kind of program", share) : nil
    }
}
