// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// What the containing app calls.
@MainActor
enum App {
    static func turnOn() async -> Bool {
        if #available(iOS 18.0, macOS 15.0, *) {
            return await ASSettingsHelper.requestToTurnOnCredentialProviderExtension()
        }
        return false
    }

    static func openSettings() async throws {
        try await ASSettingsHelper.openCredentialProviderAppSettings()
    }

    static func openSettings(then finished: @escaping ((any Error)?) -> Void) {
        ASSettingsHelper.openCredentialProviderAppSettings { error in
            finished(error)
        }
        ASSettingsHelper.openVerificationCodeAppSettings()
    }

    static func report() async throws {
        let updater = ASCredentialUpdater()
        try await updater.reportUnusedPasswordCredential(domain: "shiny.example.com", userName: "rmondello")
    }

    static func save() async throws {
        guard let url = URL(string: "https://shiny.example.com/login"), let scope = ASAutoFillURLScope(url: url) else {
            return
        }
        try await ASCredentialDataManager().save(
            password: ASPasswordCredential(user: "rmondello", password: "correct horse"),
            for: scope,
            anchor: ASPresentationAnchor()
        )
    }

    static func export(_ data: ASExportedCredentialData) async throws {
        let manager = ASCredentialExportManager(presentationAnchor: ASPresentationAnchor())
        let options = try await manager.requestExport()
        guard options.formatVersion == .v1 else { return }
        try await manager.exportCredentials(data)
    }

    static func importCredentials(_ userInfo: [AnyHashable: Any]) async throws -> ASExportedCredentialData? {
        guard let token = userInfo[ASCredentialImportToken] as? UUID else { return nil }
        return try await ASCredentialImportManager().importCredentials(token: token)
    }
}
