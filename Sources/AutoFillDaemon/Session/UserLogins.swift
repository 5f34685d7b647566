// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// The user's logins, as logind states them.
enum UserLogins {
    /// The paths of the user's login sessions that are not ending; `nil` if logind cannot be asked.
    ///
    /// Logind also lists background services and the user's service manager. Only the class of a login begins with `user`.
    static func now(environment: [String: String], user: UInt32 = getuid()) async -> Set<String>? {
        guard let address = Bus.system.address(in: environment) else { return nil }
        // The calls block, for five seconds each at most.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: try? stated(by: address, user)) }
        }
    }

    private static func stated(by address: String, _ user: UInt32) throws(BusError) -> Set<String> {
        let connection = try BusConnection.open(address: address)
        var logins: Set<String> = []
        for session in try connection.loginSessions() where session.user == user {
            // It may have ended since it was listed.
            guard let kind = try? connection.sessionProperty("Class", of: session.path), kind.hasPrefix("user"),
                let state = try? connection.sessionProperty("State", of: session.path), state != "closing"
            else { continue }
            logins.insert(session.path)
        }
        return logins
    }
}
