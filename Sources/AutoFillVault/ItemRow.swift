// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials

/// The payloads of an item's sealed columns.
enum ItemRow {
    enum Column: String, CaseIterable {
        case meta, password, notes, history
    }

    /// How many old passwords are kept, the newest ones.
    static let historyLimit = 20

    /// - Parameter version: Of the vault that the payload is for; one that has no place for something leaves it out.
    static func encodeMeta(_ item: VaultItem, version: Int = VaultSchema.currentVersion) -> SecretBytes {
        var record = RecordEncoder()
        record.append(Int64(item.services.count))
        for service in item.services { record.append(service) }
        record.append(item.user)
        record.append(milliseconds(item.created))
        record.append(milliseconds(item.modified))
        record.append(Int64(item.removed == nil ? 0 : 1))
        record.append(item.removed.map(milliseconds) ?? 0)
        record.append(Int64(item.isStrict ? 1 : 0))
        if version >= 5 {
            record.append(Int64(item.isFavorite ? 1 : 0))
            record.append(Int64(item.tags.count))
            for tag in item.tags { record.append(tag) }
        }
        if version >= 6 {
            record.append(item.title)
            record.append(Int64(item.hasPassword ? 1 : 0))
        }
        return record.finish()
    }

    /// - Parameter version: Of the vault that the payload is from; before version 3 no item was strict, before 5 none had labels, before 6
    ///   none had a title and each had a password.
    static func decodeMeta(
        _ payload: SecretBytes,
        id: String,
        version: Int = VaultSchema.currentVersion
    ) throws -> VaultItem {
        var record = try RecordDecoder(payload)
        let count = try record.readNumber(in: 0...Int64(ItemLimits.services))
        let services = try (0..<count).map { _ in try record.readText() }
        let user = try record.readText()
        let created = try record.readNumber()
        let modified = try record.readNumber()
        let isRemoved = try record.readNumber(in: 0...1) == 1
        let removed = try record.readNumber()
        let isStrict = version < 3 ? false : try record.readNumber(in: 0...1) == 1
        let isFavorite = version < 5 ? false : try record.readNumber(in: 0...1) == 1
        let tagCount = version < 5 ? 0 : try record.readNumber(in: 0...Int64(ItemLimits.tags))
        let tags = try (0..<tagCount).map { _ in try record.readText() }
        let title = version < 6 ? "" : try record.readText()
        let hasPassword = version < 6 ? true : try record.readNumber(in: 0...1) == 1
        try record.finish()
        return VaultItem(
            id: id,
            services: services,
            user: user,
            isStrict: isStrict,
            created: date(created),
            modified: date(modified),
            removed: isRemoved ? date(removed) : nil,
            isFavorite: isFavorite,
            tags: tags,
            title: title,
            hasPassword: hasPassword
        )
    }

    static func encode(secret: SecretBytes) -> SecretBytes {
        var record = RecordEncoder()
        record.append(secret)
        return record.finish()
    }

    static func decodeSecret(_ payload: SecretBytes) throws -> SecretBytes {
        var record = try RecordDecoder(payload)
        let secret = try record.readSecret()
        try record.finish()
        return secret
    }

    static func encode(text: String) -> SecretBytes {
        var record = RecordEncoder()
        record.append(text)
        return record.finish()
    }

    static func decodeText(_ payload: SecretBytes) throws -> String {
        var record = try RecordDecoder(payload)
        let text = try record.readText()
        try record.finish()
        return text
    }

    static func encode(history: [PasswordChange]) -> SecretBytes {
        var record = RecordEncoder()
        let kept = history.suffix(historyLimit)
        record.append(Int64(kept.count))
        for change in kept {
            record.append(milliseconds(change.date))
            record.append(change.password)
        }
        return record.finish()
    }

    static func decodeHistory(_ payload: SecretBytes) throws -> [PasswordChange] {
        var record = try RecordDecoder(payload)
        let count = try record.readNumber(in: 0...Int64(historyLimit))
        let history = try (0..<count).map { _ in
            PasswordChange(date: date(try record.readNumber()), password: try record.readSecret())
        }
        try record.finish()
        return history
    }

    /// Times are kept to the millisecond, so that an item reads back equal to what adding it returned.
    static func truncated(_ date: Date) -> Date {
        self.date(milliseconds(date))
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
