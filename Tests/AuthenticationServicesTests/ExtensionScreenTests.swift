// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// When an interface is sent, and how often.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ExtensionScreenTests {
    private final class Sent {
        var interfaces: [InterfaceStatement] = []
        var inFlight = 0
        var mostInFlight = 0
        var error: WireError?
    }

    private let controller = UIViewController()
    private let message = MessageView("0")
    private let sent = Sent()
    private let arrived = Arrival<String>()

    private func screen() -> ExtensionScreen {
        let screen = ExtensionScreen(of: controller, name: "Name") { [sent, arrived] interface in
            sent.inFlight += 1
            sent.mostInFlight = max(sent.mostInFlight, sent.inFlight)
            defer { sent.inFlight -= 1 }
            await Task.yield()
            if let error = sent.error {
                sent.error = nil
                arrived.arrive("refused")
                throw error
            }
            sent.interfaces.append(interface)
            arrived.arrive(interface.elements.first?.text ?? "nothing")
        }
        controller.onInterfaceChange = { screen.interfaceDidChange() }
        return screen
    }

    @Test
    func putsChangesTogether() async {
        let screen = screen()
        controller.view.addSubview(message)
        for index in 1...1000 { message.text = "\(index)" }
        #expect(await arrived.next() == "1000")
        #expect(sent.interfaces.count == 1)
        #expect(sent.interfaces.first?.title == "Name")
        screen.stop()
    }

    @Test
    func sendsOneAtATimeHoweverMuchChanges() async {
        let screen = screen()
        controller.view.addSubview(message)
        let start = ContinuousClock.now
        let count = 300
        for index in 1...count {
            message.text = "\(index)"
            await Task.yield()
        }
        var last = await arrived.next()
        while last != "\(count)" { last = await arrived.next() }
        #expect(sent.mostInFlight == 1)
        let most = (ContinuousClock.now - start) / ExtensionScreen.interval + 2
        #expect(Double(sent.interfaces.count) <= most)
        screen.stop()
    }

    @Test
    func doesNotSendTheSameTwice() async {
        let screen = screen()
        controller.view.addSubview(message)
        #expect(await arrived.next() == "0")
        message.isHidden = true
        message.isHidden = false
        controller.view.frame = .zero
        await screen.rest()
        #expect(sent.interfaces.count == 1)
        controller.title = "Title"
        #expect(await arrived.next() == "0")
        #expect(sent.interfaces.last?.title == "Title")
        screen.stop()
    }

    @Test
    func sendsNothingBeforeThereIsSomethingAndNothingAfterwards() async {
        let screen = screen()
        screen.interfaceDidChange()
        await screen.rest()
        #expect(sent.interfaces.isEmpty)
        controller.view.addSubview(message)
        #expect(await arrived.next() == "0")
        message.removeFromSuperview()
        #expect(await arrived.next() == "nothing")
        screen.stop()
        controller.view.addSubview(message)
        await screen.rest()
        #expect(sent.interfaces.count == 2)
    }

    @Test
    func triesAgainWhenTheOtherSideIsBusy() async {
        let screen = screen()
        sent.error = WireError(.busy, "busy")
        controller.view.addSubview(message)
        #expect(await arrived.next() == "refused")
        #expect(await arrived.next() == "0")
        screen.stop()
    }

    @Test
    func goesOnAfterARefusal() async {
        let screen = screen()
        sent.error = WireError(.invalidParams, "no")
        controller.view.addSubview(message)
        #expect(await arrived.next() == "refused")
        message.text = "1"
        #expect(await arrived.next() == "1")
        screen.stop()
    }

    @Test(arguments: [WireError.Code.expired, .providerUnavailable])
    func stopsWhenNobodyLooks(code: WireError.Code) async {
        let screen = screen()
        sent.error = WireError(code, "gone")
        controller.view.addSubview(message)
        #expect(await arrived.next() == "refused")
        await screen.rest()
        message.text = "1"
        await screen.rest()
        #expect(sent.interfaces.isEmpty)
    }
}
