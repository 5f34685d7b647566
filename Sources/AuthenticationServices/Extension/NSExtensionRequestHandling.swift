// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an extension's principal object does: it takes a request by taking its context.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    /// A request begins. Delivered after `init`, and before the view of a view controller is loaded.
    func beginRequest(with context: NSExtensionContext)
}
