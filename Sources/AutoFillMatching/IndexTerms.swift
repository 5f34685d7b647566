// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials

/// The words under which a service is indexed and a document looks for it, before any of them is blinded.
///
/// Two services that may ever match share a word; sharing a word decides nothing, `MatchPolicy` does.
public enum IndexTerms {
    public static func terms(for service: ServiceIdentifier) -> [String] {
        switch service.kind {
        case .domain, .url:
            guard let origin = Origin(written: service.value) else { return [] }
            return terms(for: origin)
        case .app:
            return ["app:" + service.value]
        default:
            return []
        }
    }

    public static func terms(for origin: Origin) -> [String] {
        ["site:" + PublicSuffixes.registrableDomain(of: origin.host)]
    }
}
