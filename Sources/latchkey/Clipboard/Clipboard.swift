// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import TerminalRendering

/// Somewhere to put a password for a while.
protocol ClipboardHolding {
    /// Puts a secret there and makes sure that it is.
    func offer(_ secret: SecretBytes) throws(CommandFailure)
    /// Stays, and hands the secret to whoever pastes, until the time is over, something else was copied, or `isOver` says so.
    func serve(until deadline: ContinuousClock.Instant, isOver: () -> Bool)
    /// Takes the secret away where it still is there, and makes sure that it is gone; false when it is not.
    func takeBack(_ secret: SecretBytes) -> Bool
}

/// The clipboard of this session, and what can be done to keep a password out of clipboard histories.
///
/// Histories leave out what is marked with the target `x-kde-passwordManagerHint` (KDE's convention, which others
/// follow; wl-paste tells its watchers of it as `CLIPBOARD_STATE=sensitive`).
/// - On X11 Latchkey owns the selection itself: marked, in locked memory, and gone when it says so.
/// - On Wayland wl-copy does it; it can mark since 2.3 (`--sensitive`), and it keeps what it offers in a file of its own.
/// - xclip and xsel, for an X11 display that is not on this machine, cannot mark.
enum Clipboard: Equatable {
    case x11(X11Display)
    case tool(ClipboardTool)

    /// Finds a clipboard; refuses one that cannot be marked, unless that is allowed.
    static func find(
        allowsUnmarked: Bool,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> Clipboard {
        let path = environment["PATH"]
        if environment["WAYLAND_DISPLAY"]?.isEmpty == false {
            guard let copy = OtherProgram.find("wl-copy", path: path),
                let paste = OtherProgram.find("wl-paste", path: path)
            else {
                throw CommandFailure(
                    .notFound, "wl-copy is needed to reach the clipboard.", hint: "sudo apt install wl-clipboard")
            }
            return try marked(.waylandTool(copy: copy, paste: paste), allowsUnmarked)
        }
        guard let name = environment["DISPLAY"], !name.isEmpty else {
            throw CommandFailure(
                .notFound, "There is no clipboard here: neither Wayland nor X11.",
                hint: "--password shows the password instead.")
        }
        if let display = X11Display(name, environment: environment) { return .x11(display) }
        for program in ["xclip", "xsel"] {
            guard let found = OtherProgram.find(program, path: path) else { continue }
            return try marked(program == "xclip" ? .xclip(found) : .xsel(found), allowsUnmarked)
        }
        throw CommandFailure(
            .notFound, "xclip is needed for the clipboard of a display on another machine.",
            hint: "sudo apt install xclip")
    }

    private static func marked(_ tool: ClipboardTool, _ allowsUnmarked: Bool) throws(CommandFailure) -> Clipboard {
        guard tool.isMarking || allowsUnmarked else {
            throw CommandFailure(
                .refused,
                "\(tool.name) here cannot mark a password, so a clipboard history would keep it.",
                hint: tool.name == "wl-copy"
                    ? "Use wl-clipboard 2.3 or newer, or add --unmarked." : "Add --unmarked to copy it all the same."
            )
        }
        return .tool(tool)
    }

    /// Whether its histories are told to leave a password out.
    var isMarking: Bool {
        switch self {
        case .x11: true
        case .tool(let tool): tool.isMarking
        }
    }

    var holding: any ClipboardHolding {
        switch self {
        case .x11(let display): X11Clipboard(display)
        case .tool(let tool): tool
        }
    }
}
