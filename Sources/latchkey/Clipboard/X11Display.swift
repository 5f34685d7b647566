// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import TerminalRendering

/// An X11 display of this machine, from the text of `DISPLAY`.
struct X11Display: Equatable {
    let number: UInt16
    private let authority: String?

    /// Nothing for a display of another machine, which is not reached through a socket in the file system.
    init?(_ name: String, environment: [String: String]) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix",
            let digits = parts[1].split(separator: ".").first, let number = UInt16(digits)
        else { return nil }
        self.number = number
        authority = environment["XAUTHORITY"] ?? environment["HOME"].map { $0 + "/.Xauthority" }
    }

    /// A connected socket; nothing where no server listens.
    func connect() -> Int32? {
        let path = "/tmp/.X11-unix/X\(number)"
        // The abstract name exists even where /tmp is another one, as in a sandbox.
        for (isAbstract, name) in [(false, path), (true, path)] {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return nil }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { place in
                place.baseAddress?.advanced(by: isAbstract ? 1 : 0).copyMemory(
                    from: Array(name.utf8), byteCount: name.utf8.count)
            }
            let size = MemoryLayout<sa_family_t>.size + name.utf8.count + 1
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(size)) == 0
                }
            }
            if isConnected { return descriptor }
            close(descriptor)
        }
        return nil
    }

    /// The cookie that lets this user in, where the server wants one.
    var cookie: SecretBytes? {
        guard let authority else { return nil }
        let file = open(authority, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let content = try? Descriptor.readAll(file, limit: 1 << 20) else { return nil }
        return Self.cookie(content, display: number)
    }

    /// Finds the entry for a display: family, address, number, name and data, each but the first with its length, all big
    /// endian (Xau). What is cut off anywhere ends the search.
    static func cookie(_ content: SecretBytes, display: UInt16) -> SecretBytes? {
        content.withUnsafeBytes { bytes in
            var index = 0
            func short() -> Int? {
                guard index + 2 <= bytes.count else { return nil }
                defer { index += 2 }
                return Int(bytes[index]) << 8 | Int(bytes[index + 1])
            }
            func field() -> UnsafeRawBufferPointer? {
                guard let count = short(), index + count <= bytes.count else { return nil }
                defer { index += count }
                return UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)])
            }
            while let family = short(), field() != nil, let number = field(), let name = field(), let data = field() {
                // FamilyLocal and FamilyWild; an entry without a number is for every display.
                let isOurs = number.isEmpty || number.elementsEqual(String(display).utf8)
                if family == 256 || family == 65_535, isOurs, name.elementsEqual("MIT-MAGIC-COOKIE-1".utf8) {
                    return SecretBytes(copying: data)
                }
            }
            return nil
        }
    }
}
