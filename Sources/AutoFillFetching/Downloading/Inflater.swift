// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Uncompresses one body, part by part, and no more of it than a limit.
///
/// libcurl could do this, but takes a compressed body that is cut off for a whole one, and ignores bytes after its end.
final class Inflater {
    enum Fault: Error, Equatable {
        /// The body, uncompressed, is larger than the limit.
        case tooLarge
        /// These bytes are not compressed in that way, or more follow than belong to the body.
        case damaged
    }

    private static let partSize = 65_536

    private let stream: UnsafeMutablePointer<z_stream>
    private var part = [UInt8](repeating: 0, count: partSize)
    /// Whether the whole body is there, with its checksum.
    private(set) var isComplete = false

    /// Returns `nil` if zlib has no memory.
    init?(_ encoding: Download.ContentEncoding) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window as in every encoder; 16 more stand for gzip's own header, which is demanded then.
        let bits: Int32 = encoding == .gzip ? 31 : 15
        guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Appends what the bytes uncompress to.
    func inflate(_ bytes: UnsafeRawBufferPointer, into body: inout [UInt8], limit: Int) throws(Fault) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, let count = UInt32(exactly: bytes.count) else {
            return
        }
        // zlib only reads there.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = count
        defer { stream.pointee.next_in = nil }
        while stream.pointee.avail_in > 0 {
            guard !isComplete else { throw .damaged }
            repeat {
                let status = part.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    return CZlib.inflate(stream, Z_NO_FLUSH)
                }
                // Z_BUF_ERROR means that no progress was possible; the next part of the body continues.
                guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { throw .damaged }
                let made = Self.partSize - Int(stream.pointee.avail_out)
                guard body.count + made <= limit else { throw .tooLarge }
                body.append(contentsOf: part[..<made])
                isComplete = status == Z_STREAM_END
            } while !isComplete && stream.pointee.avail_out == 0
        }
    }
}
