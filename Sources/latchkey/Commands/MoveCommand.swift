// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey move ITEM [USER] --to PROVIDER`
struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an item to another provider that you have enabled.",
        discussion: """
            The other provider saves user name and password for each of the item's services, and may ask something of \
            its own. Then the item is removed here; it can be brought back for 30 days. Notes, tags, the key of codes \
            and earlier passwords are given to no provider: where an item has any but the last, --leave-rest says that \
            they may stay with the removed item. A strict item is not moved: no other provider can be told of that.
            """
    )

    @OptionGroup var arguments: ItemArguments
    @Option(help: "The provider: its identifier, or its name where only one has it.") var to: String
    @Flag(help: "Leave behind what the other provider cannot be given.") var leaveRest = false
    @Flag(help: "Print the removed item as JSON.") var json = false
    @OptionGroup var interface: InterfaceOptions
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let desk = PromptDesk()
        let daemon = try await DaemonConnection.open(answering: desk)
        try await daemon.requireUnlocked()
        let item = try await arguments.name.resolve(daemon)
        let provider = try await ProviderSelection(text: to).resolve(daemon)
        guard !provider.builtIn else {
            throw CommandFailure(.invalidInput, "The item is in \(provider.name) already.")
        }
        // What has arrived at the other provider by then has to be said.
        let conversation = await InterfaceConversation(
            daemon, desk, lines: interface.lines, passphrase, grace: .seconds(30))
        let moved = try await conversation.run(
            Items.Move.self,
            .init(id: item.id, provider: provider.identifier, leavesRest: leaveRest ? true : nil)
        ).item
        if json { return Output.json(ItemListing.json(moved)) }
        Output.note(
            "Moved \(item.spoken) to \(provider.name); "
                + "`latchkey restore-item \(item.id.prefix(8))` brings it back here.")
    }
}
