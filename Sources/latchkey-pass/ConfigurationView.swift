// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation
internal import PassStore

/// Where the store and the keys are, and what there is of gpg, its agent, git and pass.
final class ConfigurationView: UIView {
    private static let shownSkipped = 10

    private let entries: EntryRoute
    private let onDone: () -> Void
    private let folder = TextField(label: "Password store", placeholder: "~/.password-store")
    private let keys = TextField(label: "GnuPG folder", placeholder: "~/.gnupg")
    private let commits = ToggleView("Commit changes where the store is a git repository", isOn: true)
    private let standing = UIView()

    init(entries: EntryRoute, onDone: @escaping () -> Void) {
        self.entries = entries
        self.onDone = onDone
        super.init(frame: .zero)
        let save = ButtonView("Save", style: .default) { [weak self] in self?.save() }
        let done = ButtonView("Done") { [weak self] in self?.onDone() }
        for view in [folder, keys, commits, standing, save, done] { addSubview(view) }
    }

    required init?(coder: NSCoder) {
        nil
    }

    /// Fills the fields in and says how things are.
    func load() {
        Task {
            let configuration = await entries.configuration
            folder.text = configuration.store ?? ""
            keys.text = configuration.gnupg ?? ""
            commits.isOn = configuration.commits
            await showStanding()
        }
    }

    private func save() {
        var configuration = PassConfiguration()
        configuration.store = path(folder)
        configuration.gnupg = path(keys)
        configuration.commits = commits.isOn
        for path in [configuration.store, configuration.gnupg] {
            guard path.map({ $0.hasPrefix("/") || $0.hasPrefix("~/") }) ?? true else {
                return say([("A folder begins with / or ~/.", .error)])
            }
        }
        Task { [configuration] in
            do {
                try await entries.configure(configuration)
                await showStanding()
            } catch {
                say([("The configuration cannot be written.", .error)])
            }
        }
    }

    private func path(_ field: TextField) -> String? {
        let text = field.text.trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? nil : text
    }

    private func showStanding() async {
        var lines: [(String, MessageView.Style)] = []
        do throws(PassStoreError) {
            let (listing, _) = try await entries.listing()
            lines.append(("\(listing.entries.count) entries in the store.", .message))
            for file in listing.skipped.prefix(Self.shownSkipped) {
                lines.append(("Passed over: \(file.path). \(file.reason)", .message))
            }
            if listing.skipped.count > Self.shownSkipped {
                lines.append(("\(listing.skipped.count - Self.shownSkipped) more were passed over.", .message))
            }
        } catch {
            lines.append(([error.reason, error.hint].compactMap { $0 }.joined(separator: " "), .error))
        }
        let state = await entries.gnupg.state()
        if let version = state.version {
            lines.append(("gpg \(version) with \(Self.named(state.keys)).", state.keys.isEmpty ? .error : .message))
            lines.append(
                state.agent.map { ("gpg-agent \($0) answers.", .message) }
                    ?? ("No gpg-agent is running. Start it outside with: gpgconf --launch gpg-agent", .error))
        } else {
            lines.append(("gpg is not installed.", .error))
        }
        lines.append((PassPlace.program("git") == nil ? "git is not installed." : "git is installed.", .message))
        lines.append((PassPlace.program("pass") == nil ? "pass is not installed." : "pass is installed.", .message))
        say(lines)
    }

    private static func named(_ keys: [String]) -> String {
        keys.isEmpty ? "no key of yours" : "your keys \(keys.prefix(5).joined(separator: ", "))"
    }

    private func say(_ lines: [(String, MessageView.Style)]) {
        for view in standing.subviews { view.removeFromSuperview() }
        for (text, style) in lines { standing.addSubview(MessageView(text, style: style)) }
    }
}
