// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct SessionPINTests {
    private static let made = Result {
        let deviceKey = DeviceKey.random()
        return (deviceKey, try SessionPIN(deviceKey, pin: SecretBytes(utf8: "271828"), cost: .testOnlyFast))
    }

    @Test func opensWithThePIN() throws {
        let (deviceKey, pin) = try Self.made.get()
        #expect(pin.generation == deviceKey.generation)
        #expect(try pin.unlock(pin: SecretBytes(utf8: "271828")) == deviceKey)
    }

    @Test(arguments: ["271829", "2718281", "27182", "", "271828\n"])
    func refusesAnother(text: String) throws {
        let (_, pin) = try Self.made.get()
        #expect { try pin.unlock(pin: SecretBytes(utf8: text)) } throws: { code($0) == .wrongPIN }
    }

    @Test(arguments: [
        "", "12345", "31415", "31415x", "314159\n", " 314159", "３１４１５９", "000000", "777777777", "123456", "234567",
        "654321",
        "890123", "321098", String(repeating: "31", count: 17),
    ])
    func refusesWhatIsNoPINOrGuessedFirst(text: String) {
        #expect {
            try SessionPIN(.random(), pin: SecretBytes(utf8: text), cost: .testOnlyFast)
        } throws: {
            code($0) == .malformedPIN
        }
    }

    @Test(arguments: ["314159", "112233", "123457", String(repeating: "31", count: 16)])
    func takesAnyOther(text: String) throws {
        try SessionPIN.check(SecretBytes(utf8: text))
    }

    @Test func twoWithTheSameDigitsShareNothing() throws {
        let deviceKey = DeviceKey.random()
        let digits = SecretBytes(utf8: "271828")
        let pins = try (0..<2).map { _ in try SessionPIN(deviceKey, pin: digits, cost: .testOnlyFast) }
        #expect(try pins.map { try $0.unlock(pin: digits) } == [deviceKey, deviceKey])
        #expect(pins[0].salt != pins[1].salt && pins[0].wrapped != pins[1].wrapped)
    }

    @Test func printsAsNothing() throws {
        let (_, pin) = try Self.made.get()
        #expect("\(pin)" == "SessionPIN(redacted)" && String(reflecting: pin) == "SessionPIN(redacted)")
        var text = ""
        dump(pin, to: &text)
        #expect(!text.contains("salt") && !text.contains("wrapped"))
    }
}
