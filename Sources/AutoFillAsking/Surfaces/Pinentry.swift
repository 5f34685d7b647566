// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CLinux
internal import ChildProcesses
internal import Dispatch
internal import Foundation
internal import Glibc
internal import ShownText
internal import Synchronization

/// A pinentry program, spoken to in the Assuan protocol (libassuan manual, "Client and server").
package struct Pinentry: Sendable {
    /// Thrown when it could not ask: it found no display, or no session to show its window in.
    struct Unshown: Error {
        /// The error that it named (libgpg-error), or 0 if it ended before its first word.
        let code: Int
    }

    private let program: String
    private let environment: [String: String]

    /// Finds the pinentry of this session. Returns `nil` if there is no display for it.
    ///
    /// A pinentry for terminals cannot be used: the daemon has no terminal.
    package init?(environment: [String: String]) {
        guard environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil else { return nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let names = ["pinentry-gnome3", "pinentry-qt", "pinentry-qt5", "pinentry-gtk-2", "pinentry-x11", "pinentry"]
        let candidates = names.flatMap { name in folders.map { "\($0)/\(name)" } }
        let found = candidates.first { path in
            guard access(path, X_OK) == 0 else { return false }
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().lastPathComponent
            return !resolved.contains("curses") && !resolved.contains("tty")
        }
        guard let found else { return nil }
        program = found
        self.environment = environment
    }

    /// Asks until the user agrees, gives up, or has been wrong three times.
    @discardableResult package func ask(
        _ question: PromptDesk.Question, verify: @escaping PromptDesk.Verify
    ) async throws -> PromptDesk.Agreement {
        guard let pages = AssuanLines.pages(question), var last = pages.last else {
            throw WireError(
                .notPermitted, "It asks for more than a question can show.",
                hint: "Use the command line, which shows all of it.")
        }
        for (index, page) in pages.dropLast().enumerated() {
            _ = try await answer { asking in try turn(page, index + 1, of: pages.count, asking) }
        }
        var message: String?
        for _ in 0..<3 {
            let reply = try await answer { [message, last] asking in try converse(last, message, asking) }
            guard question.wantsPassphrase else { return .init() }
            guard let reply else { throw WireError(.userCanceled, "The user said no.") }
            do {
                let means = try await verify(reply)
                return .init(keeps: question.mayKeep ? try await asksToKeep(question) : false, means: means)
            } catch let error as WireError where error.code == .wrongPassphrase {
                message = error.message
                last.takesPIN = last.takesPIN && error.takesPIN
            }
        }
        throw WireError(.wrongPassphrase, message ?? "Wrong passphrase.")
    }

    /// Shows a page of a question that is longer than one. Only the last page asks.
    private func turn(
        _ page: PromptDesk.Question, _ number: Int, of count: Int, _ asking: Asking
    ) throws -> SecretBytes? {
        try converse(asking) { lines in
            try lines.send("SETDESC " + AssuanLines.escape(page.lines + ["Page \(number) of \(count)"]))
            try lines.send("SETOK " + AssuanLines.escape("Continue"))
            return try lines.send("CONFIRM")
        }
    }

    /// Asks whether the password is also to be offered at this place from now on.
    ///
    /// This is a separate question, because a pinentry has room for one only. Refusing it refuses nothing else.
    private func asksToKeep(_ question: PromptDesk.Question) async throws -> Bool {
        do {
            _ = try await answer { asking in
                try converse(asking) { lines in
                    try lines.send(
                        "SETDESC "
                            + AssuanLines.escape(
                                "Offer the password of \(question.savedFor ?? "the other site") on \(question.site ?? "this site") from now on?"
                            ))
                    try lines.send("SETOK " + AssuanLines.escape("Also use here"))
                    try lines.send("SETCANCEL " + AssuanLines.escape("Only this once"))
                    return try lines.send("CONFIRM")
                }
            }
            return true
        } catch let error as WireError where error.code == .userCanceled {
            return false
        } catch is Unshown {
            return false
        }
    }

    private func answer(
        _ ask: @escaping @Sendable (Asking) throws -> SecretBytes?
    ) async throws -> SecretBytes? {
        let asking = Asking()
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Blocks for minutes: run it off the cooperative pool.
                Thread.detachNewThread { continuation.resume(returning: Result { try ask(asking) }) }
            }
        } onCancel: {
            asking.cancel()
        }
        // A canceled question does not count as a refusal by the user.
        try Task.checkCancellation()
        return try answer.get()
    }

    private func converse(
        _ question: PromptDesk.Question, _ message: String?, _ asking: Asking
    ) throws -> SecretBytes? {
        try converse(asking) { lines in
            try lines.send("SETDESC " + AssuanLines.escape(question.lines))
            if let message { try lines.send("SETERROR " + AssuanLines.escape(DisplayText(message, .sentence))) }
            switch question.kind {
            case .confirm, .save, .generated, .savePassword, .updatePassword, .unlockToSave:
                try lines.send("SETOK " + AssuanLines.escape(question.kind == .save ? "Save" : "Fill"))
                try lines.send("CONFIRM")
                return nil
            case .unlock, .authenticate, .enable, .upgrade, .passwords, .preferences, .foreign:
                let asked: DisplayText = question.takesPIN ? "PIN or passphrase:" : "Passphrase:"
                try lines.send("SETPROMPT " + AssuanLines.escape(asked))
                return try lines.send("GETPIN")
            }
        }
    }

    private func converse(
        _ asking: Asking, _ talk: (AssuanLines) throws -> SecretBytes?
    ) throws -> SecretBytes? {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw WireError(.internalError, "No socket pair can be made.")
        }
        let process = ChildProcess.spawn(
            program, arguments: [], descriptors: [(ends[1], 0), (ends[1], 1)], environment: environment)
        close(ends[1])
        defer {
            close(ends[0])
            asking.ended()
            if let process { Self.end(process) }
        }
        guard let process else { throw WireError(.internalError, "\(program) cannot be started.") }
        asking.began(process)
        let lines = AssuanLines(descriptor: ends[0])
        do {
            _ = try lines.reply()
        } catch let error as WireError where error.code == .userCanceled {
            // It ended before it said anything: nobody has seen it.
            throw Unshown(code: 0)
        }
        try lines.send("SETTITLE Latchkey")
        return try talk(lines)
    }

    /// Asks a program to end, and ends it after a second.
    private static func end(_ process: Int32) {
        var status: Int32 = 0
        kill(process, SIGTERM)
        for _ in 0..<50 {
            guard waitpid(process, &status, WNOHANG) == 0 else { return }
            poll(nil, 0, 20)
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
}

/// The process of a running pinentry, so that its question can be canceled.
///
/// The process identifier is forgotten before it can be reused.
private final class Asking: Sendable {
    private let state = Mutex<(process: Int32?, isCancelled: Bool)>((nil, false))

    func began(_ process: Int32) {
        state.withLock { state in
            state.process = process
            if state.isCancelled { kill(process, SIGTERM) }
        }
    }

    func ended() {
        state.withLock { $0.process = nil }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let process = state.process { kill(process, SIGTERM) }
        }
    }
}

/// Lines of an Assuan conversation; what is read stays in locked memory.
private final class AssuanLines {
    /// Maximum number of lines in one reply. A program that sends more does not speak Assuan.
    private static let lineLimit = 1000
    /// Bytes of one argument: a line has 1,000 at most (libassuan manual, "Implementation"), its command among them.
    private static let byteLimit = 980

    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Escapes a text of several lines. Only the joints between them become line breaks.
    static func escape(_ lines: [DisplayText]) -> String {
        lines.map(escape).joined(separator: "%0A")
    }

    /// Only what the protocol needs is written as a percent escape, so that a line holds as much text as it can: the percent sign and
    /// what would end the line (libassuan manual, "Server responses").
    static func escape(_ text: DisplayText) -> String {
        var escaped = ""
        for scalar in text.text.unicodeScalars {
            if scalar.value == 0x25 || scalar.value < 0x20 || scalar.value == 0x7F {
                escaped += String(format: "%%%02X", scalar.value)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// What stands above the list on each page of a question has at most this many bytes, so that there is room for a line of the list.
    private static let headLimit = 480
    /// More pages than this nobody reads.
    private static let pageLimit = 6

    /// A question in as many pages as it takes to stay within `byteLimit`; `nil` if they are too many. A pinentry ends at a longer line,
    /// which nobody could tell from the user's no. Names are shortened, but no detail and no reason is left out: the user agrees to each.
    static func pages(_ question: PromptDesk.Question) -> [PromptDesk.Question]? {
        func isWithin(_ limit: Int, _ question: PromptDesk.Question) -> Bool {
            escape(question.lines).utf8.count <= limit
        }
        guard !isWithin(byteLimit, question) else { return [question] }
        var head = question
        (head.details, head.reasons) = ([], [])
        let limit = question.details.isEmpty && question.reasons.isEmpty ? byteLimit : headLimit
        // The user name is shortened first, then the program that asks; sites are what the user decides by, and come last.
        for length in [128, 48, 24] where !isWithin(limit, head) {
            head.user = head.user.map { shortened($0, length) }
            head.provider = head.provider.map { shortened($0, length) }
        }
        for length in [128, 48] where !isWithin(limit, head) {
            head.requester = shortened(head.requester, length, keeping: .end)
        }
        for length in [96, 48] where !isWithin(limit, head) {
            head.site = head.site.map { shortened($0, length, keeping: .end) }
            head.savedFor = head.savedFor.map { shortened($0, length, keeping: .end) }
            head.top = head.top.map { shortened($0, length, keeping: .end) }
        }
        var pages = [head]
        func add(_ text: DisplayText, to list: WritableKeyPath<PromptDesk.Question, [DisplayText]>) {
            for length in [256, 128, 64] {
                for isNew in [false, true] {
                    var page = isNew ? head : pages[pages.count - 1]
                    page[keyPath: list].append(shortened(text, length))
                    // Some bytes stay free for the number of the page.
                    guard isWithin(byteLimit - 20, page) else { continue }
                    if isNew { pages.append(page) } else { pages[pages.count - 1] = page }
                    return
                }
            }
        }
        for detail in question.details { add(detail, to: \.details) }
        for reason in question.reasons { add(reason, to: \.reasons) }
        return pages.count <= pageLimit ? pages : nil
    }

    private static func shortened(
        _ text: DisplayText, _ length: Int, keeping kept: TextCleaner.Kept = .beginning
    ) -> DisplayText {
        DisplayText(text.text, TextCleaner.Limit(characters: length, bytes: 2 * length), keeping: kept)
    }

    /// Sends a command and returns the data of its answer.
    @discardableResult func send(_ command: String) throws -> SecretBytes? {
        var bytes = Array((command + "\n").utf8)
        while !bytes.isEmpty {
            let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw WireError(.userCanceled, "The prompt ended.") }
            bytes.removeFirst(count)
        }
        return try reply()
    }

    func reply() throws -> SecretBytes? {
        var data: SecretBytes?
        for _ in 0..<Self.lineLimit {
            let line = try self.line()
            let (isOK, isError, isData) = line.withUnsafeBytes { bytes in
                (bytes.starts(with: "OK".utf8), bytes.starts(with: "ERR".utf8), bytes.starts(with: "D ".utf8))
            }
            if isOK { return data }
            if isError { throw Self.refusal(line) }
            if isData { data = Self.joined(data, Self.unescaped(line)) }
        }
        throw WireError(.internalError, "The prompt gave an invalid answer.")
    }

    /// What an `ERR` line says: that the user said no, or that the pinentry could not ask.
    private static func refusal(_ line: SecretBytes) -> any Error {
        let digits = line.withUnsafeBytes { bytes in
            bytes.dropFirst(4).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(12)
                .reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
        }
        // The low 16 bits are the error, those above say who found it (libgpg-error, gpg-error.h).
        let code = digits & 0xFFFF
        // GPG_ERR_PIN_ENTRY: the desktop's prompt is in use.
        if code == 85 { return WireError(.busy, "Another program is asking for a passphrase just now.") }
        return isNo(code) ? WireError(.userCanceled, "The user said no.") : Pinentry.Unshown(code: code)
    }

    /// GPG_ERR_TIMEOUT, GPG_ERR_CANCELED, GPG_ERR_NOT_CONFIRMED and GPG_ERR_FULLY_CANCELED; 0 for a line without a number.
    private static func isNo(_ code: Int) -> Bool {
        [0, 62, 99, 114, 198].contains(code)
    }

    /// Long data comes in several lines.
    private static func joined(_ first: SecretBytes?, _ second: SecretBytes) -> SecretBytes {
        guard let first else { return second }
        let whole = SecretBytes(count: first.count + second.count)
        whole.withUnsafeMutableBytes { target in
            first.withUnsafeBytes { target.copyMemory(from: $0) }
            second.withUnsafeBytes { target[first.count...].copyBytes(from: $0) }
        }
        return whole
    }

    private func line() throws -> SecretBytes {
        let line = SecretBytes(count: 2048)
        var count = 0
        try line.withUnsafeMutableBytes { bytes in
            while count < bytes.count {
                let got = read(descriptor, bytes.baseAddress?.advanced(by: count), 1)
                if got < 0 && errno == EINTR { continue }
                guard got == 1 else { throw WireError(.userCanceled, "The prompt ended.") }
                if bytes[count] == UInt8(ascii: "\n") { return }
                count += 1
            }
            throw WireError(.internalError, "The prompt gave an invalid answer.")
        }
        return line.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// The data of a `D` line, with its percent escapes resolved.
    private static func unescaped(_ line: SecretBytes) -> SecretBytes {
        let plain = SecretBytes(count: line.count)
        var count = 0
        plain.withUnsafeMutableBytes { output in
            line.withUnsafeBytes { input in
                var index = 2
                while index < input.count {
                    var byte = input[index]
                    if byte == UInt8(ascii: "%"), index + 2 < input.count,
                        let high = Character(Unicode.Scalar(input[index + 1])).hexDigitValue,
                        let low = Character(Unicode.Scalar(input[index + 2])).hexDigitValue
                    {
                        byte = UInt8(high << 4 | low)
                        index += 2
                    }
                    output[count] = byte
                    count += 1
                    index += 1
                }
            }
        }
        return plain.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
