// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import GRDB

extension VaultError {
    /// Runs a body and turns what SQLite and the seal throw into vault errors that name the file.
    static func mapping<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as VaultError {
            throw error
        } catch let error as DatabaseError {
            throw VaultError(error, file: file)
        } catch let error as SecretsError {
            throw VaultError(error, file: file)
        } catch {
            // A value of the wrong type in a row, as GRDB reports it, and anything else that only damage explains.
            throw VaultError(.damaged, "the vault holds something unreadable", file: file)
        }
    }

    init(_ error: SecretsError, file: String, row: String? = nil) {
        switch error.code {
        case .file: self.init(.file, error.reason, file: error.context ?? file)
        // An unknown seal format in a file of a known version is damage too: a newer Latchkey raises the version.
        default: self.init(.damaged, error.reason, file: file, row: row)
        }
    }

    /// Failures that come when a change is made final: the journal may be gone by then, and the change is kept.
    private static let atTheEnd: [ResultCode] = [
        .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_DELETE, .SQLITE_IOERR_CLOSE,
    ]

    init(_ error: DatabaseError, file: String) {
        guard !Self.atTheEnd.contains(error.extendedResultCode) else {
            self.init(.outcomeUnknown, "the disk failed while the change was written", file: file)
            return
        }
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.diskFull, "the disk is full", file: file)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "another process holds the vault", file: file)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_IOERR, .SQLITE_NOMEM:
            self.init(.file, "the vault cannot be read or written: \(error.resultCode)", file: file)
        default:
            self.init(.damaged, "the vault's file is damaged: \(error.resultCode)", file: file)
        }
    }
}
