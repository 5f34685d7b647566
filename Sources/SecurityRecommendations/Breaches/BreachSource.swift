// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import Glibc

/// A list of leaked passwords on this machine.
public enum BreachSource: Sendable {
    /// One sorted file.
    case file(BreachFile)
    /// A folder of range files, named `21BD1` or `21BD1.txt`.
    case folder(String)

    public init(path: String) throws(BreachError) {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
            self = .folder(path)
        } else {
            self = .file(try BreachFile(path: path))
        }
    }

    /// How often a password was seen; 0 where it is not there.
    public func count(of password: SecretBytes) throws(BreachError) -> Int {
        switch self {
        case .file(let file): return try file.count(of: file.kind.hash(password))
        case .folder(let folder):
            let name = BreachRange.prefix(of: password)
            for path in [folder + "/" + name, folder + "/" + name + ".txt"] {
                guard let bytes = Self.contents(of: path) else { continue }
                guard let range = BreachRange(bytes) else {
                    throw BreachError(.malformed, "\(path) does not hold lines of SUFFIX:COUNT.")
                }
                return range.count(of: password)
            }
            throw BreachError(.unreadable, "\(folder) has no file \(name).")
        }
    }

    private static func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: BreachRange.maximumSize)
        var filled = 0
        while filled < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }
}
