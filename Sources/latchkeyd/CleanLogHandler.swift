// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Logging
import ShownText

/// Writes to the standard error stream. What strangers chose, such as the path of a program, can neither begin a line of its own there nor
/// reach a terminal as a control sequence.
struct CleanLogHandler: LogHandler {
    private var handler: StreamLogHandler

    init(label: String) {
        handler = StreamLogHandler.standardError(label: label)
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(EscapedText.escaped(event.message.description))"
        event.metadata = event.metadata?.mapValues(Self.clean)
        handler.log(event: event)
    }

    private static func clean(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(EscapedText.escaped(value.description))
    }
}
