// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets

/// The PAM module of Latchkey on this computer, as far as its files tell.
struct LoginModule {
    /// Whether a login would use it.
    enum State: String {
        case missing
        case unused
        case used
    }

    let state: State

    /// - Parameters:
    ///   - configuration: The folder of PAM's service files (pam.d(5)).
    ///   - modules: The folders of PAM's modules.
    init(configuration: String = "/etc/pam.d", modules: [String] = Self.folders) {
        guard modules.contains(where: { SmallFile.isThere($0 + "/pam_latchkey.so") }) else {
            state = .missing
            return
        }
        let names = SmallFile.names(in: configuration, atMost: 1000) ?? []
        // Editors and package managers leave other names beside the service files.
        let lines = names.filter { !$0.contains(".") && !$0.contains("~") }.flatMap { name in
            (SmallFile.text(configuration + "/" + name, atMost: 1 << 16) ?? "").split(separator: "\n")
        }
        let kinds = lines.filter { $0.contains("pam_latchkey.so") }.compactMap {
            $0.split(whereSeparator: \.isWhitespace).first
        }
        state = kinds.contains("auth") && kinds.contains("session") ? .used : .unused
    }

    private static let folders =
        ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/security" }
        + ["/usr/lib64/security", "/usr/lib/security"]

    /// What is missing until a login unlocks, and what to do; `nil` if nothing is.
    var problem: String? {
        switch state {
        case .missing: "This computer has no PAM module of Latchkey: install the package libpam-latchkey."
        case .unused: "Logins do not use the PAM module yet: run `sudo pam-auth-update --enable latchkey`."
        case .used: nil
        }
    }

    /// The state that the daemon states, as a sentence.
    static func sentence(_ state: String) -> String {
        switch state {
        case "on": "Your login password unlocks Latchkey."
        case "changed": "Your login password has changed: run `latchkey login enable` to let the new one unlock."
        case "damaged": "The login key is damaged: run `latchkey login enable` to make a new one."
        default: "Only the passphrase unlocks after a login."
        }
    }
}
