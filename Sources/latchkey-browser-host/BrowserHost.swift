// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CLinux
internal import Glibc

/// The native messaging host: one hello with what the browser said, then frames in, the same frames out.
@main
enum BrowserHost {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        guard let statement = BrowserStatement(hostArguments: CommandLine.arguments) else {
            fail(64, "latchkey-browser-host is started by a browser, not by hand.")
        }
        guard let directories = Directories(environment: environment()) else {
            fail(1, "There is no home folder to work in.")
        }
        let browser = FramedStream(input: STDIN_FILENO, output: STDOUT_FILENO)
        do {
            let daemon = try DaemonConnector.connectOrStart(directories)
            let hello = try JSONValue(
                encoding: Session.Hello.Params(
                    protocol: 1, client: Program(name: "latchkey-browser-host", version: latchkeyVersion),
                    browser: statement, display: DisplayStatement(environment: environment())))
            try daemon.send(Message.request(id: .string("hello"), method: Session.Hello.name, params: hello).encoded())
            guard let answer = try daemon.receive() else { exit(0) }
            // Only now, because the daemon has to see what program this is; nothing secret has come through yet.
            latchkey_forbid_dumps()
            try browser.send(answer)
            relay(from: browser, to: daemon)
            forward(from: daemon, to: browser)
        } catch let error as WireError {
            fail(1, error.message)
        } catch {
            fail(1, "The connection broke.")
        }
        exit(0)
    }

    /// Passes frames on, on a thread of its own; ends the process when the browser is gone.
    private static func relay(from browser: FramedStream, to daemon: FramedStream) {
        let streams = Streams(browser: browser, daemon: daemon)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(streams).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                if let context {
                    let streams = Unmanaged<Streams>.fromOpaque(context).takeRetainedValue()
                    forward(from: streams.browser, to: streams.daemon)
                }
                exit(0)
            }, context)
        pthread_detach(thread)
    }

    private final class Streams: Sendable {
        let browser: FramedStream
        let daemon: FramedStream

        init(browser: FramedStream, daemon: FramedStream) {
            self.browser = browser
            self.daemon = daemon
        }
    }

    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        for name in [
            "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "DISPLAY",
            "WAYLAND_DISPLAY", "XAUTHORITY",
        ] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }

    private static func fail(_ status: Int32, _ sentence: String) -> Never {
        let line = "latchkey-browser-host: \(sentence)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(status)
    }
}

/// Frames go through unread and unchanged until either side ends.
private func forward(from source: FramedStream, to destination: FramedStream) {
    do {
        while let frame = try source.receive() { try destination.send(frame) }
    } catch {
        // Either side broke off; there is nobody to tell but the other side, which sees the end.
    }
}
