// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

/// A socket that hangs up on everybody, and counts them.
final class DeadBus: Sendable {
    let address: String
    private let folder: String
    private let socket: Int32
    private let count = Mutex(0)

    /// How many have connected.
    var attempts: Int { count.withLock { $0 } }

    init() throws {
        var template = Array("/tmp/lk-bus-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = "unix:path=\(folder)/bus"
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.socket = socket
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array("\(folder)/bus".utf8)) }
        let status = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(socket, 8) == 0)
        Thread.detachNewThread { [weak self] in
            while case let caller = accept(socket, nil, nil), caller >= 0 {
                close(caller)
                self?.count.withLock { $0 += 1 }
            }
            close(socket)
        }
    }

    deinit {
        // Wakes the thread, which closes it.
        shutdown(socket, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }
}
