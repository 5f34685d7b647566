// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillGit
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets

@testable import AutoFillDaemon

/// What git says to its credential helper.
extension Fuzzer {
    /// What git says reads as itself when it is written again, and no value of it is two lines.
    static let git = Fuzzer(
        "git",
        words: [
            "protocol=https\n", "host=", "path=", "username=", "password=", "url=https://", "password_expiry_utc=",
            "wwwauth[]=", "%0a", "%00", "\r", "quit=1\n", "oauth_refresh_token=",
        ],
        seeds: {
            [
                "protocol=https\nhost=git.example.com:8443\npath=o/r.git\nusername=me\npassword=p=w\n\n",
                "url=https://me:p%40w@git.example.com/o/r.git\n", "capability[]=authtype\nwwwauth[]=Basic\n",
                "protocol=https\nhost=a.test\npassword_expiry_utc=1790000000\n",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let credential = try? GitCredentialReader.read(SecretBytes(copying: bytes)) else { return }
            func isLine(_ text: String) -> Bool { !text.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D } }
            let texts = [credential.protocolName, credential.host, credential.path, credential.username]
            precondition(texts.allSatisfy { $0.map(isLine) ?? true }, "a value of two lines")
            precondition(credential.expiry ?? 1 > 0, "an expiry before there was one")
            let target = GitTarget(
                scheme: credential.protocolName ?? "", host: credential.host ?? "", path: credential.path,
                user: credential.username)
            if let request = GitRequest(target) {
                precondition(
                    request.site.hasPrefix(request.origin.description), "a request for another place than its site")
                let service = ServiceIdentifier(written: request.service)
                let fit = GitFit(service, isExact: true, for: request)
                precondition(request.path != nil || fit == .server, "what is saved for a place does not fit it")
            }
            guard let user = credential.username, let password = credential.password,
                let lines = GitCredentialWriter.write(username: user, password: password, expiry: credential.expiry)
            else { return }
            let again = try? GitCredentialReader.read(lines)
            precondition(
                again?.username == user && again?.password == password && again?.expiry == credential.expiry,
                "a login changed on its way")
        })
}
