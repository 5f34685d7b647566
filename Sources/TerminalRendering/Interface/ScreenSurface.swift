// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import Glibc
internal import Synchronization

/// Draws on the whole terminal and reads its keys.
@MainActor
package final class ScreenSurface: InterfaceSurface {
    private let terminal: Int32
    private let deed: @Sendable (SurfaceDeed) -> Void
    private var screen: InterfaceScreen
    private var keys = TerminalKeyReader()
    private var reader: InputReader?
    private var drawn: [ScreenLine] = []
    private var resumptions = 0
    private var isClosed = false

    /// Control sequences: alternate screen and hidden cursor; and back.
    private static let greeting = "\u{1B}[?1049h\u{1B}[?25l"
    private static let farewell = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// Takes over an open terminal. Returns `nil` if it is not a terminal.
    package init?(terminal: Int32, header: InterfaceHeader, _ deed: @escaping @Sendable (SurfaceDeed) -> Void) {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        self.terminal = terminal
        self.deed = deed
        let original = settings
        screen = InterfaceScreen(header: header)
        // Control-C is read as a key, so that it cancels the request instead of killing the program.
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        TerminalGuard.begin(terminal, original, farewell: Self.farewell)
        TerminalGuard.show(settings, Self.greeting)
        let (inputs, continuation) = AsyncStream<InputReader.Input>.makeStream()
        reader = InputReader(terminal, pause: 50) { continuation.yield($0) }
        Task { [weak self] in
            for await input in inputs { self?.take(input) }
        }
    }

    package func show(_ interface: InterfaceStatement?) {
        screen.show(interface, now: .now)
        draw()
    }

    package func actWasTaken() {}

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        reader?.stop()
        TerminalGuard.end()
        Glibc.close(terminal)
    }

    private func take(_ input: InputReader.Input) {
        guard !isClosed else { return }
        let typed: [TerminalKey] =
            switch input {
            case .bytes(let bytes): bytes.withUnsafeBytes { keys.read($0) }
            case .pause: keys.pause()
            case .end: [.interrupt]
            }
        for key in typed {
            switch screen.take(key, now: .now, rows: max(1, size.rows - 6)) {
            case .act(let act): deed(.act(act))
            case .cancel: deed(.cancel)
            case nil: break
            }
        }
        // Redraws after a pause too, because the terminal may have been resized.
        draw()
    }

    private var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    private func draw() {
        let size = size
        let lines = screen.lines(columns: size.columns, rows: size.rows)
        let resumptions = TerminalGuard.resumptions.load(ordering: .relaxed)
        guard lines != drawn || resumptions != self.resumptions else { return }
        self.resumptions = resumptions
        drawn = lines
        var text = "\u{1B}[H"
        for (index, line) in lines.enumerated() {
            text += (index == 0 ? "" : "\r\n") + Self.code(line.style) + line.text + "\u{1B}[0m\u{1B}[K"
        }
        write(text + "\u{1B}[J")
    }

    /// Only weight and reversal are used. Colours are the terminal's choice, and weight or reversal never carries meaning alone.
    private static func code(_ style: ScreenLine.Style) -> String {
        switch style {
        case .plain: ""
        case .header, .focused: "\u{1B}[7m"
        case .heading, .error: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        }
    }

    private func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: terminal) }
    }
}
