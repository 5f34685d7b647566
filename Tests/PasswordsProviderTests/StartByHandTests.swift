// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import ProcessTesting
import Testing

@Suite(.tags(.startsProcess), .serialized, .timeLimit(.minutes(1)))
struct StartByHandTests {
    @Test(arguments: [nil, "", "x", "3x", "0", "2", "-1", "99999999999", "700"])
    func refusesWithoutAConnection(descriptor: String?) async throws {
        let output = Pipe()
        let error = output.fileHandleForWriting.fileDescriptor
        let process = try ProviderProcess.spawn([(error, 2)], descriptor: descriptor)
        try output.fileHandleForWriting.close()
        let said = try output.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) }
        #expect(await ProviderProcess.end(of: process) == 64)
        #expect(said == "latchkey-passwords: This program is started by Latchkey, not by hand.\n")
    }

    @Test
    func refusesADescriptorThatIsNoSocket() async throws {
        let file = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(file) }
        #expect(await ProviderProcess.end(of: try ProviderProcess.spawn([(file, 3)], descriptor: "3")) == 64)
    }

    @Test
    func endsWhenTheConnectionHasEndedAlready() async throws {
        let provider = try ProviderProcess()
        provider.peer.close()
        #expect(await provider.end() == 0)
    }

    @Test
    func allowsNoCoreDump() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let limits = try String(contentsOfFile: "/proc/\(provider.process)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        // Of a process that may not be dumped, the files below /proc are root's.
        let owner = try FileManager.default.attributesOfItem(atPath: "/proc/\(provider.process)/mem")[.ownerAccountID]
        #expect(owner as? NSNumber == 0)
    }

    @Test
    func letsADebuggerAtADebugBuildAndAllowsNoCoreDumpAllTheSame() async throws {
        let container = try Container()
        let provider = try ProviderProcess()
        let key = WireSecret(SecretBytes(utf8: ProviderProcess.key))
        let start = Provider.Start.Params(
            protocol: 1, identifier: "org.latchkey.passwords", container: container.path, key: key, debug: true)
        _ = try await provider.call(Provider.Start.self, start)
        let limits = try String(contentsOfFile: "/proc/\(provider.process)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        let owner = try FileManager.default.attributesOfItem(atPath: "/proc/\(provider.process)/mem")[.ownerAccountID]
        #expect(owner as? NSNumber == NSNumber(value: geteuid()))
    }
}
