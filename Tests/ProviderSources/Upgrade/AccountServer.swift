// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the service said.
enum AccountServerError: Error {
    case secondFactorNeeded
    case refused
    case unreachable
}

/// The app's own server, as an app has a type for it.
protocol AccountServer {
    func changePassword(
        of user: String, from password: String, token: String?, to newPassword: String, code: String?,
        completion: @escaping (Result<String, AccountServerError>) -> Void)
    func convertToSignInWithApple(user: String, identityToken: Data?, completion: @escaping (Bool) -> Void)
}
