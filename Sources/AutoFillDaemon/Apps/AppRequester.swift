// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease

/// An app and the process that it is.
struct AppRequester {
    let process: PeerProcess
    let caller: CallerIdentity
    /// As the user is told.
    var name: String { caller.program.path }
    /// As refusals are remembered.
    var key: String { "app " + caller.program.path }
}

/// Where the system asks, for one request.
struct AppSurface {
    let renderer: ClientConnection
    let kind: AuthenticationPolicy.Surface
    let seat: RendererSeat?
}

/// Why an app gets nothing: for the journal, never for the app.
struct AppRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) {
        description = reason
    }
}
