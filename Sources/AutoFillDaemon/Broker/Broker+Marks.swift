// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC

/// What became known of items beside what their provider knows: that a server took a password or did not.
extension Broker {
    /// Adds to items what became known of them.
    func marked<Answer: Sendable>(_ answer: Answer) -> Answer {
        switch answer {
        case var page as ItemPage:
            page.items = page.items.map(marked)
            return page as? Answer ?? answer
        case var single as ItemAnswer:
            single.item = marked(single.item)
            return single as? Answer ?? answer
        default: return answer
        }
    }

    private func marked(_ item: Item) -> Item {
        guard let marks = unlocked?.registry.marks(CredentialMarks.name(record: item.id, provider: .builtIn)) else {
            return item
        }
        var item = item
        item.rejected = marks.rejected
        item.expires = marks.expires
        return item
    }

    /// What was known of an item's old state says nothing about the new one.
    func forgetMarks(of change: ItemChanges) {
        let name = CredentialMarks.name(record: change.id, provider: .builtIn)
        try? unlocked?.registry.mark(name) { marks in
            marks.rejected = nil
            if change.password != nil { marks.expires = nil }
        }
        known.forget(record: change.id, of: .builtIn)
    }
}
