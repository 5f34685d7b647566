// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
package import AutoFillSecrets
internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Keeps the first part of a provider's output, and keeps reading when it is full.
package final class OutputCapture: Sendable {
    package static let limit = 4 << 20

    private let kept = Mutex<(bytes: [UInt8], total: Int)>(([], 0))

    /// The descriptor to print into, which the caller closes, or `nil` if no pipe can be created.
    package func open() -> Int32? {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { return nil }
        let input = ends[0]
        let isStarted = DetachedThread.start { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(input, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                kept.withLock { kept in
                    kept.total += count
                    kept.bytes += buffer[..<count].prefix(max(0, Self.limit - kept.bytes.count))
                }
            }
            close(input)
        }
        guard isStarted else {
            close(ends[0])
            close(ends[1])
            return nil
        }
        return ends[1]
    }

    package var total: Int { kept.withLock { $0.total } }

    /// Whether the output contains a text.
    package func contains(_ secret: SecretBytes) -> Bool {
        let needle = secret.withUnsafeBytes { Array($0) }
        return kept.withLock { $0.bytes.firstRange(of: needle) != nil }
    }
}
