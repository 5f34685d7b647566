// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease
internal import AutoFillSecrets
internal import Crypto
internal import Foundation

/// Hints at the programs that the user has decided on. They can be read while locked, so that an app cannot tell whether Latchkey is
/// locked.
///
/// No decision rests on a hint: the user's decisions are in the sealed registry, and a tampered hint only causes one question too many or
/// too few. The file holds salted digests, so that it does not read as a list of programs.
struct AppHints: Sendable {
    private struct Content: Codable, Equatable {
        var salt = SealedRegistry.makeSalt()
        var allowed: Set<Data> = []
        var refused: Set<Data> = []
    }

    /// Size limit in bytes; enough for thousands of programs.
    private static let sizeLimit = 16 << 20

    private let path: String
    private var content: Content

    /// Reads the file; a missing or damaged file gives no hints.
    init(path: String) {
        self.path = path
        content =
            SmallFile.read(path, atMost: Self.sizeLimit)
            .flatMap { try? BoundedJSON.decode(Content.self, from: $0) }
            ?? Content()
    }

    /// Whether the user said yes to the program at this path, whatever it was then.
    func isAllowed(_ program: CallerProgram) -> Bool {
        content.allowed.contains(hash(program.path, ""))
    }

    /// Whether the user refused exactly this file, or the program that root installs at this path.
    func isRefused(_ program: CallerProgram) -> Bool {
        content.refused.contains(hash(program.path, program.digest)) || content.refused.contains(hash(program.path, ""))
    }

    /// Replaces the hints with those of the user's decisions, and writes them.
    mutating func keep(_ decisions: [AppDecision]) throws {
        let old = content
        content.allowed = Set(decisions.filter(\.isAllowed).map { hash($0.path, "") })
        content.refused = Set(decisions.filter { !$0.isAllowed }.map { hash($0.path, $0.digest) })
        guard content != old else { return }
        do {
            try AtomicFile.write(Array(try JSONEncoder().encode(content)), to: path)
        } catch {
            content = old
            throw error
        }
    }

    private func hash(_ path: String, _ digest: String) -> Data {
        Data(SHA256.hash(data: content.salt + Data(path.utf8) + [0] + Data(digest.utf8)))
    }
}
