// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation

extension ASWebAuthenticationSession {
    /// Where a session ends.
    open class Callback: NSObject {
        private(set) var statement = WebAuthentication.Callback(scheme: "")

        /// A callback at which no session ends; the two below make others.
        public required override init() {
            super.init()
        }

        /// Ends at the first address of a scheme of the app's own.
        open class func customScheme(_ customScheme: String) -> Self {
            made(.init(scheme: customScheme))
        }

        /// Ends at an address of a host and path over https. The host has to be an associated domain of the app.
        open class func https(host: String, path: String) -> Self {
            made(.init(host: host, path: path))
        }

        private class func made(_ statement: WebAuthentication.Callback) -> Self {
            let callback = self.init()
            callback.statement = statement
            return callback
        }

        /// Whether a session would end at this address.
        @discardableResult
        open func matchesURL(_ url: URL) -> Bool {
            guard let scheme = url.scheme?.lowercased() else { return false }
            if let own = statement.scheme { return !own.isEmpty && scheme == own.lowercased() }
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            return scheme == "https" && parts?.host?.lowercased() == statement.host?.lowercased()
                && (parts?.port ?? 443) == 443 && parts?.user == nil && parts?.percentEncodedPath == statement.path
        }
    }
}
