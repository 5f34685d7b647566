// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Providers as small programs that behave as a test says, for tests about processes. All other tests have a `FakeProvider`.
package enum ProviderProgram {
    /// What every one of them can do: read and write frames, be started, stop.
    private static let prelude = """
        #!/usr/bin/python3
        import json, os, signal, struct, sys, time
        descriptor = int(os.environ["LATCHKEY_PROVIDER_FD"])
        folder = PLACE

        def note(name, text=""):
            with open(folder + "/" + name, "a") as file: file.write(text + "\\n")

        def take(count):
            data = b""
            while len(data) < count:
                piece = os.read(descriptor, count - len(data))
                if not piece: sys.exit(0)
                data += piece
            return data

        def receive():
            return json.loads(take(struct.unpack("=I", take(4))[0]))

        def write(data):
            while data: data = data[os.write(descriptor, data):]

        def frame(data):
            write(struct.pack("=I", len(data)) + data)

        def send(**message):
            frame(json.dumps(dict(message, jsonrpc="2.0")).encode())

        def request(id, method, params={}):
            send(id=id, method=method, params=params)

        def began(capabilities=["manage"], noted=None):
            # Who is answered may end this process at once, so what is to be read afterwards is written first.
            message = receive()
            if noted: note(noted, json.dumps(message["params"], sort_keys=True))
            send(id=message["id"], result=dict(name="Fake", version="1", capabilities=capabilities))
            return message

        def credential(message, user=None, type="password", password={"secret": "canary"}):
            user = message["params"]["identity"]["user"] if user is None else user
            send(id=message["id"], result=dict(credential=dict(type=type, user=user, password=password)))

        def ask():
            while True:
                message = receive()
                if "method" in message and "id" in message: return message

        def forever():
            while True: time.sleep(600)

        note("started", str(os.getpid()))

        """

    /// Writes a provider into a folder and returns its path.
    ///
    /// - Parameter notes: where it notes what it does, if not beside itself.
    package static func write(
        _ script: String, in folder: TemporaryFolder, name: String = "provider", notes: String? = nil
    ) throws -> String {
        let place = notes.map { "'\($0)'" } ?? "os.path.dirname(os.path.abspath(__file__))"
        return try folder.write(
            prelude.replacingOccurrences(of: "PLACE", with: place) + script + "\n", to: name, mode: 0o700)
    }
}
