// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// Which browsers can fill, and what each still needs. Its button keeps it, so it lives as long as what it shows.
@DesktopActor final class BrowserRows {
    let widget: Widget
    private let context: PageContext
    /// Whether what it shows is still there: a page is removed while a command runs.
    private var isThere = true

    init(_ context: PageContext) {
        self.context = context
        widget = Widgets.column()
        widget.on("destroy") { self.isThere = false }
        read()
    }

    private func read() {
        Task { @DesktopActor in
            let outcome = await context.commands.run(BrowserReport.arguments, input: nil)
            if isThere { draw(BrowserReport(outcome), outcome) }
        }
    }

    private func draw(_ report: BrowserReport?, _ outcome: CommandOutcome) {
        widget.removeAll()
        let group = Widgets.group(
            "Browsers", "Where web pages are filled. Each needs the extension, which you load once.")
        widget.append(group)
        guard let report else {
            let reason = DisplayText(outcome.sentence, .sentence).text
            Widgets.add(Widgets.row("The Browsers Could Not Be Looked At", reason), to: group)
            return add("Try Again") { self.read() }
        }
        let isReady = report.browsers.allSatisfy(\.ready)
        for browser in report.browsers {
            let words = browser.ready ? "connected" : "not connected yet: \(browser.fault ?? "nothing is set up")"
            Widgets.add(Widgets.row(DisplayText(browser.name).text, DisplayText(words, .sentence).text), to: group)
        }
        let notes = outcome.notes.filter { !$0.contains("`") }
        if report.browsers.isEmpty {
            let reason =
                notes.first
                ?? "Chromium, Chrome, Firefox and browsers like them are found by themselves, outside of a Flatpak."
            Widgets.add(Widgets.row("No Browser Was Found", DisplayText(reason, .sentence).text), to: group)
        } else {
            for note in notes { widget.append(Widgets.label(DisplayText(note, .sentence).text, wraps: true).margin(6)) }
            add(isReady ? "How to Load the Extension…" : "Set Up Browsers") { self.setUp() }
        }
    }

    private func add(_ name: String, _ press: @escaping @DesktopActor () -> Void) {
        let button = Widgets.button(name, press)
        gtk_widget_set_halign(button, GTK_ALIGN_START)
        widget.append(button.margin(6))
    }

    private func setUp() {
        Task { @DesktopActor in
            let outcome = await context.commands.run(["browser", "install"], input: nil)
            let isDone = outcome.status == 0
            let lines = isDone ? outcome.output.split(separator: "\n") : [Substring(outcome.sentence)]
            Notice.show(
                context, isDone ? "Load the Extension" : "No Browser Was Set Up",
                lines.map { DisplayText(String($0), .sentence).text }.joined(separator: "\n"),
                copied: ExtensionPlace(outcome)?.folder)
            if isThere { read() }
        }
    }
}
