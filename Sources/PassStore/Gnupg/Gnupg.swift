// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// gpg, with an agent that somebody else has started.
///
/// gpg is told never to start an agent (`--no-autostart`): one that was started in here would see neither the user's
/// display, for its pinentry, nor their smartcard, and would answer for everyone else afterwards. It is told never to
/// reach out for keys, never to use a terminal. The user's own options (`gpg.conf`) count otherwise, as for pass.
public struct Gnupg: Sendable {
    /// Where the programs are, and what they are given.
    public struct Place: Sendable {
        /// The path of gpg.
        public var gpg: String
        /// The path of gpg-connect-agent.
        public var connectAgent: String
        /// The folder of keys; nothing for gpg's own choice (`~/.gnupg`).
        public var home: String?
        /// All of the programs' environment.
        public var environment: [String: String]

        /// A place with all its members.
        public init(gpg: String, connectAgent: String, home: String?, environment: [String: String]) {
            self.gpg = gpg
            self.connectAgent = connectAgent
            self.home = home
            self.environment = environment
        }
    }

    /// What became of a decryption.
    public enum Decryption: Sendable {
        case opened(SecretBytes)
        case refused(DecryptionRefusal)
    }

    let place: Place
    let programs: any ProgramRunning

    /// gpg in its place.
    public init(_ place: Place, programs: any ProgramRunning) {
        self.place = place
        self.programs = programs
    }

    /// Decrypts an entry.
    ///
    /// - Parameters:
    ///   - isAsking: Whether gpg-agent may ask the user. Otherwise it is told to fail instead, which takes no time.
    ///   - limit: So long it may take: seconds when nobody is asked, minutes when somebody is.
    /// - Throws: `PassStoreError` with `program` when gpg cannot be started.
    public func decrypt(
        _ ciphertext: [UInt8], isAsking: Bool, limit: Duration
    ) async throws(PassStoreError) -> Decryption {
        var arguments = common
        if !isAsking { arguments += ["--pinentry-mode", "error"] }
        arguments += ["--decrypt"]
        let end = try await programs.run(
            ProgramCall(
                place.gpg, arguments, environment: place.environment, input: .bytes(ciphertext),
                outputLimit: EntryText.byteLimit, limit: limit
            )
        )
        let status = GnupgStatus(end.status)
        // gpg writes the text before it knows whether it was tampered with: only both together are a yes.
        if end.isSuccess, status.isDecrypted { return .opened(end.output) }
        switch end.stop {
        case .timedOut: return .refused(.timedOut)
        case .cancelled: return .refused(.cancelled)
        case .tooMuchOutput: return .refused(.tooLarge)
        case nil: return .refused(try await refusal(status, isAsking: isAsking))
        }
    }

    /// Encrypts a text to recipients whose keys are here and trusted, as pass does.
    ///
    /// - Throws: `PassStoreError` with `recipients` or `program`.
    public func encrypt(_ text: SecretBytes, to recipients: [String]) async throws(PassStoreError) -> [UInt8] {
        let arguments =
            common + ["--yes", "--compress-algo=none", "--no-encrypt-to", "--no-auto-key-locate"]
            + recipients.map { "--recipient=\($0)" } + ["--encrypt"]
        let end = try await programs.run(
            ProgramCall(place.gpg, arguments, environment: place.environment, input: .secret(text))
        )
        let status = GnupgStatus(end.status)
        if end.isSuccess, status.isEncrypted { return end.output.withUnsafeBytes { Array($0) } }
        if let name = status.invalidRecipient {
            throw PassStoreError(
                .recipients, "There is no usable key for \(name).", hint: "gpg --list-keys, and trust the key."
            )
        }
        throw PassStoreError(.program, "gpg did not encrypt the entry.")
    }

    private var common: [String] {
        ["--no-autostart", "--batch", "--no-tty", "--disable-dirmngr", "--status-fd", "3"] + homeArguments
    }

    var homeArguments: [String] { place.home.map { ["--homedir", $0] } ?? [] }

    private func refusal(_ status: GnupgStatus, isAsking: Bool) async throws(PassStoreError) -> DecryptionRefusal {
        if status.noData || !(status.isAddressed || status.asksForPassphrase) { return .damaged }
        if let error = status.agentError {
            switch error {
            // GPG_ERR_CANCELED and GPG_ERR_FULLY_CANCELED.
            case 99, 198: return .cancelled
            default: return isAsking ? .failed : .locked
            }
        }
        guard try await agentVersion() != nil else { return .noAgent }
        if status.secretKeyMissing { return .noSecretKey }
        if status.asksForPassphrase { return isAsking ? .failed : .locked }
        // The key was found and used, and still the text is not what was encrypted.
        return .damaged
    }
}
