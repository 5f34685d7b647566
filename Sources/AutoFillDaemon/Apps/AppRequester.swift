// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease

/// An app that makes a request, with its process.
struct AppRequester {
    let process: PeerProcess
    let caller: CallerIdentity
    /// The name shown to the user.
    var name: String { caller.program.path }
    /// The key under which the user's refusals are remembered.
    var key: String { "app " + caller.program.path }
}

/// The surface on which the system asks the user, for one request.
struct AppSurface {
    let renderer: ClientConnection
    let kind: AuthenticationPolicy.Surface
    let seat: RendererSeat?
}

/// The reason why an app's request was refused. It goes to the journal and never to the app.
struct AppRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) {
        description = reason
    }
}
