// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultErrorTests {
    @Test(
        "a failure when a change is made final does not say that it was refused",
        arguments: [
            (ResultCode.SQLITE_IOERR_DIR_FSYNC, VaultError.Code.outcomeUnknown),
            (.SQLITE_IOERR_DELETE, .outcomeUnknown),
            (.SQLITE_IOERR_WRITE, .file), (.SQLITE_FULL, .diskFull), (.SQLITE_CORRUPT, .damaged),
        ])
    func ofSQLite(code: ResultCode, expected: VaultError.Code) {
        #expect(VaultError(DatabaseError(resultCode: code), file: "vault").code == expected)
    }
}
