// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension FileManager {
    /// The folder of an app group, which exists; `nil` for one that the entitlements do not name.
    ///
    /// In an extension it is there from the start. A containing app asks Latchkey each time and waits for the answer: `nil`
    /// while Latchkey is locked or does not run. `ProviderContainer.shared` says which.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        (try? ProviderContainer.current())?.group(groupIdentifier)?.folder
    }
}
