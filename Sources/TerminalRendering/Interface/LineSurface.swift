// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import Glibc

/// Asks line by line: on a terminal, or from a pipe with the questions on standard error.
@MainActor
package final class LineSurface: InterfaceSurface {
    private let input: Int32
    private let output: Int32
    private let deed: @Sendable (SurfaceDeed) -> Void
    private var dialog: LineDialog
    private var splitter = LineSplitter()
    private var waiting: [SecretBytes] = []
    private var hasEnded = false
    private var isAsking = false
    private var isClosed = false
    private var reader: InputReader?
    private var patience: Task<Void, Never>?
    private let original: termios?

    /// Time to wait for an interface after an act. Afterwards the next line is taken even without one.
    private static let settling = Duration.seconds(3)

    package init(
        input: Int32, output: Int32, header: InterfaceHeader, _ deed: @escaping @Sendable (SurfaceDeed) -> Void
    ) {
        self.input = input
        self.output = output
        self.deed = deed
        dialog = LineDialog(header: header)
        var settings = termios()
        original = tcgetattr(input, &settings) == 0 ? settings : nil
        if let original { TerminalGuard.begin(input, original) }
        let (inputs, continuation) = AsyncStream<InputReader.Input>.makeStream()
        reader = InputReader(input, pause: -1) { continuation.yield($0) }
        Task { [weak self] in
            for await input in inputs { self?.take(input) }
        }
    }

    package func show(_ interface: InterfaceStatement?) {
        guard !isClosed else { return }
        if isAsking { say([""]) }
        // Input typed before this interface appeared was meant for the last one. A script's lines are in order, so they are kept.
        if original != nil {
            tcflush(input, TCIFLUSH)
            waiting = []
        }
        say(dialog.show(interface))
        if interface != nil { ask() }
    }

    package func actWasTaken() {
        patience?.cancel()
        patience = Task { [weak self] in
            try? await Task.sleep(for: Self.settling)
            if !Task.isCancelled { self?.ask() }
        }
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        patience?.cancel()
        reader?.stop()
        if original != nil { TerminalGuard.end() }
    }

    private func take(_ input: InputReader.Input) {
        guard !isClosed else { return }
        switch input {
        case .bytes(let bytes): waiting += splitter.read(bytes)
        case .end:
            if let last = splitter.end() { waiting.append(last) }
            hasEnded = true
        case .pause: break
        }
        answer()
    }

    private func ask() {
        patience?.cancel()
        isAsking = true
        let question = dialog.question
        if var settings = original {
            if question.isSilent { settings.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
            TerminalGuard.show(settings, question.text, flush: false)
        } else {
            write(question.text)
        }
        answer()
    }

    /// Takes the next line, if a question is open and a line is available.
    private func answer() {
        guard isAsking, !isClosed, hasEnded || !waiting.isEmpty else { return }
        isAsking = false
        // The line feed was not echoed, or the input is a pipe.
        if original == nil || dialog.question.isSilent { write("\n") }
        switch dialog.take(waiting.isEmpty ? nil : waiting.removeFirst()) {
        case .say(let lines):
            say(lines)
            ask()
        case .act(let act): deed(.act(act))
        case .cancel: deed(.cancel)
        }
    }

    private func say(_ lines: [String]) {
        write(lines.map { $0 + "\n" }.joined())
    }

    private func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: output) }
    }
}
