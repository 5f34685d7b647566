// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import FoundationEssentials
import Glibc

/// Which of the processes that hold a password on one clipboard copied last.
///
/// The clipboard itself does not tell: after the same password was copied twice it holds what both put there. So the last
/// one writes its process identifier into a file of the runtime folder, until it has cleared, and an earlier one leaves the clipboard to
/// it for as long as it lives. Without the file each one believes that it was the last, and clears.
struct ClipboardTurn: ~Copyable {
    private let number = UInt64(getpid())
    private let file: Int32

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let wayland = environment["WAYLAND_DISPLAY"] ?? ""
        let display = wayland.isEmpty ? environment["DISPLAY"] ?? "" : wayland
        // The name of a Wayland display may be a path.
        let name = String(
            decoding: display.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
        let folder = Directories(environment: environment)?.runtime ?? ""
        file = open(folder + "/clipboard-" + name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Runs something while no other process copies to the same clipboard or takes back from it.
    func alone<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        while flock(file, LOCK_EX) != 0 && errno == EINTR {}
        defer { flock(file, LOCK_UN) }
        return try body()
    }

    /// From now on this process is the one that copied last.
    func take() { write(number) }

    /// Notes that this process has cleared the clipboard, or left it to others.
    func end() {
        if last == number { write(0) }
    }

    /// Whether no other process that lives has copied since.
    var isOurs: Bool {
        guard let last, last != 0, last != number, let other = pid_t(exactly: last) else { return true }
        return kill(other, 0) != 0 && errno == ESRCH
    }

    /// The process that copied last, as the file says; 0 where it has cleared.
    private var last: UInt64? {
        var last: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &last) { pread(file, $0.baseAddress, $0.count, 0) }
        return count == MemoryLayout<UInt64>.size ? last : nil
    }

    private func write(_ number: UInt64) {
        withUnsafeBytes(of: number) { _ = pwrite(file, $0.baseAddress, $0.count, 0) }
    }
}
