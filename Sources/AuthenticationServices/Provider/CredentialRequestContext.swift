// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// For whom a credential is asked for, as Latchkey has verified it.
///
/// Apple's API has no such type: it names a service and leaves the rest to the system. Here a provider is told all of it, and may
/// refuse because of it, by `ASCredentialProviderExtensionContext.refuseRequest(because:)`.
public struct CredentialRequestContext: Sendable, Hashable {
    /// The origin of the document that is to be filled, such as `https://shiny.example.com`; `nil` for an app.
    public let origin: String?
    /// The origins of the documents around it, the nearest first and the top one last; empty in a top document.
    public let ancestorOrigins: [String]
    /// Whether all of these documents were delivered securely.
    public let isSecureContext: Bool
    /// The identifier of the app that is to be filled; `nil` for a document.
    public let appIdentifier: String?

    /// The origin of the top document: what the address bar shows.
    public var topOrigin: String? { ancestorOrigins.last ?? origin }
}

extension CredentialRequestContext {
    init(_ context: RequestContext) {
        origin = context.origin
        ancestorOrigins = context.ancestors ?? []
        isSecureContext = context.secureContext ?? false
        appIdentifier = context.app
    }
}
