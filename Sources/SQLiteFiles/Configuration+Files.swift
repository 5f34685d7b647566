// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import GRDB
internal import GRDBSQLite

/// How a file keeps a change that was acknowledged through a crash and a power cut.
package enum Journal: Sendable {
    /// A write-ahead log, for which a change waits for the disk once, before it is acknowledged. Its index is in memory, so that only this
    /// process can open the file.
    case writeAhead
    /// A rollback journal: at rest there is one file. The deletion of the journal reaches the disk as well.
    case rollback
    /// None that outlives the process, for a database in memory.
    case memory

    /// The name of the mode, and how much SQLite waits for the disk.
    fileprivate var pragmas: (mode: String, synchronous: String) {
        switch self {
        case .writeAhead: ("wal", "FULL")
        case .rollback: ("delete", "EXTRA")
        case .memory: ("memory", "OFF")
        }
    }
}

/// SQLite's way to files (`unix-excl`) that keeps the index of a write-ahead log in the memory of the process.
///
/// The usual one maps a file `-shm`. Where that is on a full disk, the kernel ends the process that touches the mapping.
private enum IndexInMemory {
    /// Makes it the way of every file that this process opens from now on; nothing changes where SQLite was built without it.
    static let choose: Void = {
        if let way = sqlite3_vfs_find("unix-excl") { sqlite3_vfs_register(way, 1) }
    }()
}

extension Configuration {
    /// Settings of every connection. The file may be damaged or written by somebody else, and its content must not reach other files.
    private static let careful = """
        PRAGMA temp_store = MEMORY;
        PRAGMA mmap_size = 0;
        PRAGMA cache_size = -2000;
        PRAGMA cell_size_check = ON;
        PRAGMA trusted_schema = OFF;
        """

    /// A connection that may write, and overwrites what it deletes.
    ///
    /// - Parameters:
    ///   - label: A name for error messages.
    ///   - refusal: Thrown where the file does not take the journal, as when another process holds it.
    package static func writing(
        _ label: String, journal: Journal, refusal: @escaping @Sendable () -> any Error
    ) -> Configuration {
        let (mode, synchronous) = journal.pragmas
        if case .writeAhead = journal { IndexInMemory.choose }
        var configuration = Configuration()
        configuration.label = label
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            guard try Row.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")?.text(at: 0) == mode else {
                throw refusal()
            }
            try db.execute(sql: "PRAGMA synchronous = \(synchronous); PRAGMA secure_delete = ON; \(careful)")
        }
        return configuration
    }

    /// A connection that cannot write, and waits for no change: a write-ahead log has the last complete one for it.
    ///
    /// - Parameter isDamaged: Whether what can be read of a damaged file is wanted, as of one that is shorter than its header says.
    package static func reading(_ label: String, isDamaged: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            // Before the other pragmas, some of which read the schema.
            if isDamaged { try db.execute(sql: "PRAGMA writable_schema = ON") }
            try db.execute(sql: careful)
        }
        return configuration
    }
}
