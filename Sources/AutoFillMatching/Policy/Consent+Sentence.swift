// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Consent {
    /// What is asked, for `explain`.
    public var sentence: String {
        switch self {
        case .sharedService(let saved):
            "you are asked, because it was saved for \(saved), which shares its accounts with this site"
        case .frame(let top, let frame): "you are asked once for \(frame) inside a page of \(top)"
        case .insecureLocal(let host):
            "you are asked once, because \(host) of the local network is reached without encryption"
        }
    }
}
