// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey remove ITEM [USER]`
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an item. It can be brought back for 30 days.")

    @OptionGroup var arguments: ItemArguments
    @Flag(help: "Print the item as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let item = try await arguments.name.resolve(daemon)
        let removed = try await daemon.call(Items.Remove.self, ItemReference(id: item.id)).item
        if json { return Output.json(ItemListing.json(removed)) }
        Output.note(
            "Removed \(item.spoken); `latchkey restore-item \(item.id.prefix(8))` "
                + "brings it back."
        )
    }
}

/// `latchkey restore-item ITEM [USER]`
struct RestoreItemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore-item", abstract: "Bring a removed item back.")

    @OptionGroup var arguments: ItemArguments
    @Flag(help: "Print the item as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let item = try await arguments.name.resolve(daemon, removed: true)
        let restored = try await daemon.call(Items.Restore.self, ItemReference(id: item.id)).item
        if json { return Output.json(ItemListing.json(restored)) }
        Output.note("\(restored.spoken) is back.")
    }
}
