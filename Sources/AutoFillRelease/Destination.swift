// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
package import AutoFillCredentials
package import AutoFillMatching

/// The destination of a credential. Its content is private: two destinations can only be compared.
public struct Destination: Hashable, Sendable {
    private enum Place: Hashable {
        case document(VerifiedOrigin)
        case question(VerifiedOrigin)
        case app(VerifiedApp)
        case program(VerifiedProgram)
        case git(GitRequest)
        case commandLine(program: String, connection: Int)
        case window(prompt: String, connection: Int)
        case changer(BundleIdentifier, AppIdentifier)
        case keeper(BundleIdentifier)
        case clipboard(browser: String, connection: Int)
    }

    private let place: Place

    private init(_ place: Place) {
        self.place = place
    }

    /// Whether the PIN is enough for it. Programs and git take the passphrase.
    package var takesPIN: Bool {
        switch place {
        case .document, .commandLine, .window, .clipboard, .changer, .keeper: true
        case .question, .app, .program, .git: false
        }
    }

    /// Whether a finger is enough for it: only for what a window of the browser asks about.
    package var takesFingerprint: Bool {
        switch place {
        case .document, .window, .clipboard: true
        case .question, .app, .program, .git, .commandLine, .changer, .keeper: false
        }
    }

    /// A document, together with the frames around it.
    package static func document(_ origin: VerifiedOrigin) -> Destination { .init(.document(origin)) }

    /// A question about a document, shown outside of it.
    package static func question(about origin: VerifiedOrigin) -> Destination { .init(.question(origin)) }

    /// An app, identified by its current program.
    package static func app(_ app: VerifiedApp) -> Destination { .init(.app(app)) }

    /// The fields of a native program that does not ask by itself.
    package static func program(_ program: VerifiedProgram) -> Destination { .init(.program(program)) }

    /// Git, for a server and optionally a repository.
    package static func git(_ request: GitRequest) -> Destination { .init(.git(request)) }

    /// A program at the command line, on one connection.
    package static func commandLine(_ program: String, connection: Int) -> Destination {
        .init(.commandLine(program: program, connection: connection))
    }

    /// A window that draws an interface of the built-in provider, on one connection.
    package static func window(_ prompt: String, connection: Int) -> Destination {
        .init(.window(prompt: prompt, connection: connection))
    }

    /// The clipboard, for a browser's popup on one connection.
    package static func clipboard(_ browser: String, connection: Int) -> Destination {
        .init(.clipboard(browser: browser, connection: connection))
    }

    /// A provider that is to keep it from now on.
    package static func keeper(_ identifier: BundleIdentifier) -> Destination { .init(.keeper(identifier)) }

    /// An extension that changes passwords, and its app.
    package static func changer(_ identifier: BundleIdentifier, of app: AppIdentifier) -> Destination {
        .init(.changer(identifier, app))
    }
}
