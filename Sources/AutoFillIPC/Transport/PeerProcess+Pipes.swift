// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Who is at the other end of a pipe, as the kernel says it.
extension PeerProcess {
    /// A process that holds pipes, and by which descriptors.
    public struct PipeHolder: Hashable, Sendable {
        public let process: Int32
        /// The pipes by its descriptors.
        public let pipes: [Int32: String]
    }

    /// The pipe that a descriptor of the process refers to, as `/proc` names it (`pipe:[1234]`). Returns `nil` for
    /// anything but a pipe.
    public func pipe(at descriptor: Int32) -> String? {
        let target = targetOfSymbolicLink("/proc/\(process)/fd/\(descriptor)")
        guard let target, target.hasPrefix("pipe:["), isAlive else { return nil }
        return target
    }

    /// The processes of a user, other than this one, that hold one of some pipes.
    ///
    /// A process that hides from others of its user is not among them.
    public func otherHolders(of pipes: Set<String>, user: UInt32) -> [PipeHolder] {
        Self.numbers(in: "/proc").compactMap { number in
            guard number != process else { return nil }
            var information = stat()
            guard stat("/proc/\(number)", &information) == 0, information.st_uid == user else { return nil }
            var held: [Int32: String] = [:]
            for descriptor in Self.numbers(in: "/proc/\(number)/fd") {
                guard let target = targetOfSymbolicLink("/proc/\(number)/fd/\(descriptor)"), pipes.contains(target)
                else { continue }
                held[descriptor] = target
            }
            return held.isEmpty ? nil : PipeHolder(process: number, pipes: held)
        }
    }

    /// The names in a folder that are numbers. None if the folder cannot be read.
    private static func numbers(in folder: String) -> [Int32] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var found: [Int32] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name) { found.append(number) }
        }
        return found
    }
}
