// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import TerminalRendering

/// Shows a recovery code, once, with what to do with it. The code alone goes to standard output.
struct RecoveryCodeNotice {
    let code: SecretBytes

    func show(json: Bool) {
        if json { return Output.json(.object([("recoveryCode", .secret(code))])) }
        Output.note("Your recovery code:")
        Output.secret(code)
        Output.note(
            "Write it down on paper and keep it away from this computer. It opens everything without the "
                + "passphrase, and it is not shown again."
        )
    }
}
