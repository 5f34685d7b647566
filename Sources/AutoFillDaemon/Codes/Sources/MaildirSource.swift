// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation
internal import Glibc

/// Watches a maildir for delivered mail, by inotify. It changes nothing there and does not read older mail.
///
/// The bytes of a mail are untrusted: they are passed on to `latchkey-mail`, one mail at a time, and never parsed here.
struct MaildirSource: CodeSource {
    /// Maximum age of a delivery in seconds; an older mail was moved here.
    static let ageLimit: Int64 = 600

    /// The maildir, which has the folder `new`.
    let path: String
    let reader: MailProcess
    var retry: Duration = .seconds(60)

    let origin = CodeOrigin.maildir

    func start(
        until waker: Waker, report: @escaping @Sendable (CodeSourceState) -> Void,
        deliver: @escaping @Sendable (CodeDelivery) -> Void
    ) {
        Thread.detachNewThread {
            while !waker.isAwake {
                let trouble = watch(waker, report, deliver)
                guard !waker.isAwake else { return }
                report(.waiting(trouble))
                waker.wait(atMost: retry)
            }
        }
    }

    /// Watches until the folder goes away, and returns the reason.
    private func watch(
        _ waker: Waker, _ report: (CodeSourceState) -> Void, _ deliver: (CodeDelivery) -> Void
    ) -> String {
        let folder = path + "/new"
        let watcher = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard watcher >= 0 else { return "the system's limit of watched folders is reached" }
        defer { close(watcher) }
        // By maildir's own rule a mail is moved, or linked, into `new` when it is whole; some programs write it there.
        let events = UInt32(IN_MOVED_TO | IN_CREATE | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        guard inotify_add_watch(watcher, folder, events) >= 0 else { return "there is no folder \(folder)" }
        report(.ready(path))
        while !waker.isAwake {
            waker.wait(for: watcher, events: Int16(POLLIN), atMost: nil)
            let (names, isGone) = Self.names(from: watcher)
            for name in names where !waker.isAwake {
                guard let mail = Self.read(folder + "/" + name) else { continue }
                // A mail that its reader needs too long for, or crashes on, counts as one without a code.
                if let answer = try? reader.read(mail), let code = MailCode(answer) { deliver(.mail(code)) }
            }
            if isGone { return "\(folder) is gone" }
        }
        return ""
    }

    /// The names of what came, each once; and whether the folder went away.
    private static func names(from watcher: Int32) -> (names: [String], isGone: Bool) {
        var (names, isGone): ([String], Bool) = ([], false)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(watcher, buffer.baseAddress, buffer.count)
            guard count > 0 else { return (names, isGone) }
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= count {
                let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
                if event.mask & gone != 0 { isGone = true }
                let end = min(count, offset + header + Int(event.len))
                let bytes = buffer[(offset + header)..<end].prefix { $0 != 0 }
                let name = String(decoding: bytes, as: UTF8.self)
                // A maildir has no mails whose names begin with a dot.
                if !name.isEmpty, !name.hasPrefix("."), !names.contains(name) { names.append(name) }
                offset = end
            }
        }
    }

    /// The first bytes of a mail; `nil` if the file is not a regular one or is too old.
    private static func read(_ file: String) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int64(status.st_mtim.tv_sec) > Int64(time(nil)) - ageLimit
        else { return nil }
        let limit = MailProcess.maximumMail
        var bytes = [UInt8](repeating: 0, count: limit)
        var total = 0
        while total < limit {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: total), limit - total)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            total += count
        }
        return Array(bytes[..<total])
    }
}
