// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Reports changes in some folders, by inotify: files that are added, removed or moved. Folders that do not exist yet are waited for.
struct FolderWatch: Sendable {
    /// How long to wait after a change, because an installation takes many steps.
    static let settling = Duration.milliseconds(500)

    let folders: [String]

    /// Watches on a thread of its own until the waker wakes.
    func start(until waker: Waker, changed: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            let watcher = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            // Without it the folders are looked at when the next site is due.
            guard watcher >= 0 else { return }
            defer { close(watcher) }
            while !waker.isAwake {
                // Adding a watched folder again has no effect; a new folder is watched from the next turn on.
                for folder in folders { Self.add(folder, to: watcher) }
                waker.wait(for: watcher, events: Int16(POLLIN), atMost: nil)
                guard !waker.isAwake, Self.drain(watcher) else { continue }
                waker.wait(atMost: Self.settling)
                _ = Self.drain(watcher)
                if !waker.isAwake { changed() }
            }
        }
    }

    /// Watches a folder, or its nearest ancestor that exists.
    private static func add(_ folder: String, to watcher: Int32) {
        let events = UInt32(
            IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
                | IN_ONLYDIR)
        var path = folder
        while inotify_add_watch(watcher, path, events) < 0, let parent = path.pathParent, !parent.isEmpty {
            path = parent
        }
    }

    /// Reads all events, and returns whether there were any.
    private static func drain(_ watcher: Int32) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        defer { buffer.deallocate() }
        var hasAny = false
        while Glibc.read(watcher, buffer.baseAddress, buffer.count) > 0 { hasAny = true }
        return hasAny
    }
}
