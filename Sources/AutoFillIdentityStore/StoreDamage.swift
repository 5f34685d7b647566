// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import GRDB

/// Why a store's file is worthless. Never leaves this module: whoever sees it discards the file.
struct StoreDamage: Error {
    let reason: String
}

extension IdentityStoreError {
    /// Sorts what SQLite and the seal throw: damage, for which the remedy is a fresh file, stays damage; everything
    /// else (a full disk, a lock) must not cost the file and becomes an error.
    static func sorting<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as IdentityStoreError {
            throw error
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_FULL:
                throw IdentityStoreError(.diskFull, "the disk is full", file: file)
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                throw IdentityStoreError(.busy, "another process holds the store", file: file)
            case .SQLITE_MISUSE:
                throw IdentityStoreError(.closed, "the store is closed", file: file)
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_IOERR, .SQLITE_NOMEM:
                throw IdentityStoreError(.file, "the store cannot be used: \(error.resultCode)", file: file)
            default:
                throw StoreDamage(reason: "\(error.resultCode)")
            }
        } catch let error as SecretsError where error.code == .file {
            throw IdentityStoreError(.file, error.reason, file: error.context ?? file)
        } catch let damage as StoreDamage {
            throw damage
        } catch {
            throw StoreDamage(reason: "something in it is unreadable")
        }
    }
}
