// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillSecrets
import Glibc

@testable import AutoFillDaemon
@testable import AutoFillIPC
@testable import AutoFillMatching

/// What comes by a socket.
extension Fuzzer {
    /// Whatever decodes, encodes to something that decodes to the same; and so do its typed parameters.
    static let message = Fuzzer(
        "message",
        words: [
            #"{"secret":""#, #"\u00"#, #"\ud83d\ude00"#, "1e308", "-0", "9223372036854775808", #""jsonrpc":"2.0""#,
        ],
        seeds: {
            [Array(#"{"id":null,"jsonrpc":"2.0","error":{"code":1,"data":{"retryAfter":1},"message":""}}"#.utf8)]
        },
        run: { bytes in
            guard let message = try? Message(decoding: bytes) else { return }
            let again = try? message.encoded().withUnsafeBytes { try Message(decoding: $0) }
            precondition(again == message, "a message changed on its way")
            switch message {
            case .request(_, let method, let params), .notification(let method, let params):
                typed[method]?(params)
            case .response(_, .success(let result)):
                for check in answers { check(result) }
            case .response:
                break
            }
        })

    /// Only whole frames come out of a stream, and it ends.
    static let stream = Fuzzer(
        "stream", seeds: { [[1, 0, 0, 0, 0x7B], [1, 0, 0, 0, 0x7B, 2, 0, 0, 0, 0x7B, 0x7D]] },
        run: { bytes in
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
            defer { close(ends[1]) }
            let near = FramedStream(socket: ends[0])
            // More than the socket's buffer holds would wait for a reader.
            let count = send(
                ends[1], bytes.baseAddress, min(bytes.count, 65_536), Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            )
            shutdown(ends[1], Int32(SHUT_WR))
            var taken = 0
            while let body = try? near.receive() {
                precondition((1...Frame.maximumSize).contains(body.count), "a frame of an impossible size")
                taken += body.count + Frame.headerSize
            }
            precondition(taken <= max(count, 0), "more came out than went in")
        })

    // MARK: Types

    private typealias Check = @Sendable (JSONValue) -> Void

    private static func check<T: Codable & Equatable & Sendable>(_ type: T.Type) -> Check {
        { value in
            guard let typed: T = try? value.decoded() else { return }
            guard let written = try? JSONValue(encoding: typed), let again: T = try? written.decoded() else {
                preconditionFailure("what was read cannot be written")
            }
            precondition(again == typed, "parameters changed on their way")
        }
    }

    private static let typed: [String: Check] = {
        var checks: [String: Check] = [
            Session.Hello.name: check(Session.Hello.Params.self), Page.Left.name: check(Page.Left.Params.self),
            Renderer.List.name: check(Renderer.List.Params.self),
            Renderer.Choose.name: check(Renderer.Choose.Params.self),
            Renderer.Answer.name: check(Renderer.Answer.Params.self),
            Settings.Unlock.name: check(PassphraseParams.self),
            Settings.SetPIN.name: check(Settings.SetPIN.Params.self),
            Settings.Recover.name: check(Settings.Recover.Params.self),
            Settings.SetPreferences.name: check(PreferenceChanges.self),
            Settings.Audit.name: check(Settings.Audit.Params.self),
            Settings.RestoreBackup.name: check(Settings.RestoreBackup.Params.self),
            Items.List.name: check(ItemQuery.self), Items.Add.name: check(Items.Add.Params.self),
            Items.Edit.name: check(ItemChanges.self), Provider.Start.name: check(Provider.Start.Params.self),
            Provider.ProvideCredential.name: check(Provider.ProvideCredential.Params.self),
            Provider.SaveIdentities.name: check(IdentitiesParams.self),
            Provider.AppendBatch.name: check(Provider.AppendBatch.Params.self),
            Git.Get.name: check(Git.Get.Params.self), Git.Store.name: check(Git.Store.Params.self),
            Git.Erase.name: check(Git.Erase.Params.self), Git.Ask.name: check(Git.Ask.Params.self),
        ]
        let focused = check(Page.Focused.Params.self)
        checks[Page.Focused.name] = { value in
            focused(value)
            guard let params: Page.Focused.Params = try? value.decoded() else { return }
            let form = FocusedForm(params.page, focused: params.focused)
            let known = Set(params.page.fields.map(\.ref))
            precondition(form.fields.allSatisfy { known.contains($0.ref) }, "a field that the page does not have")
            _ = OriginVerifier.verify(
                params.frame.chain.map {
                    ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
                })
        }
        return checks
    }()

    private static let answers: [Check] = [
        check(CredentialAnswer.self), check(ItemPage.self), check(Renderer.Choose.Answer.self),
        check(Browser.Evidence.Answer.self), check(Provider.Start.Answer.self), check(Settings.Status.Answer.self),
    ]
}
