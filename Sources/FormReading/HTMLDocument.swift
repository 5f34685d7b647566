// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2

/// A parsed document; frees its tree when it goes.
///
/// Nothing is fetched: the parser is told to stay off the network, and HTML has no entities that name files.
struct HTMLDocument: ~Copyable {
    let pointer: htmlDocPtr

    /// Parses anything: HTML has no errors, only documents that browsers repair.
    init(parsing bytes: [UInt8]) throws(HTMLReadingError) {
        guard bytes.count <= HTMLPage.maximumSize else { throw .tooLarge }
        let (bytes, isUTF8) = Self.prepared(bytes)
        xmlInitParser()
        let parsed = bytes.withUnsafeBytes { buffer in
            Self.parse(buffer.assumingMemoryBound(to: CChar.self), isUTF8: isUTF8)
        }
        guard let parsed else { throw .noMemory }
        pointer = parsed
    }

    deinit {
        xmlFreeDoc(pointer)
    }

    private static func parse(_ buffer: UnsafeBufferPointer<CChar>, isUTF8: Bool) -> htmlDocPtr? {
        guard let context = htmlCreateMemoryParserCtxt(buffer.baseAddress, Int32(buffer.count)) else { return nil }
        defer { htmlFreeParserCtxt(context) }
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue
        htmlCtxtUseOptions(context, Int32(options))
        // Pages nest deeper than 256 elements. What walks the tree here keeps its own stack, and the size is limited above.
        context.pointee.options |= Int32(XML_PARSE_HUGE.rawValue)
        if isUTF8 {
            // The bytes say so themselves; what a saved page states is what its server once sent.
            xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
            if context.pointee.input.pointee.encoding == nil {
                context.pointee.input.pointee.encoding = UnsafePointer(xmlStrdup("UTF-8"))
            }
        }
        htmlParseDocument(context)
        let document = context.pointee.myDoc
        context.pointee.myDoc = nil
        return document
    }

    /// Without byte order mark, and with spaces for NUL bytes, at which the parser would stop.
    ///
    /// An empty document is one space: the parser wants at least a byte.
    private static func prepared(_ bytes: [UInt8]) -> (bytes: [UInt8], isUTF8: Bool) {
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if !isWide {
            for index in bytes.indices where bytes[index] == 0 { bytes[index] = 0x20 }
        }
        if bytes.isEmpty { bytes = [0x20] }
        return (bytes, !isWide && String(validating: bytes, as: UTF8.self) != nil)
    }
}
