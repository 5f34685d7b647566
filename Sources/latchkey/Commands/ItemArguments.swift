// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The arguments that name one item.
struct ItemArguments: ParsableArguments {
    @Argument(help: "The item: its id, the beginning of it (four characters or more), its service, or its title.")
    var item: String
    @Argument(help: "The user, where the service alone fits several items.") var user: String?

    var name: ItemName { ItemName(text: item, user: user) }
}
