// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Copies off the main thread.
enum ClipboardProcess {
    /// Returns `nil` once the secret is on the clipboard, or why it is not.
    static func copy(_ secret: SecretBytes) async -> String? {
        await Task.detached { () -> String? in
            do throws(ClipboardHolderProcess.Problem) {
                try ClipboardHolderProcess.start(secret)
                return nil
            } catch {
                return error.message
            }
        }.value
    }
}
