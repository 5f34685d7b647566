// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import Foundation
internal import Logging

/// The fingerprint reader of this computer, through fprintd on the system bus (`net.reactivated.Fprint`).
///
/// Only signals of the owner of that name count, on a bus at whose socket root listens: there only root can own the name.
final class FingerprintReader: FingerprintReading {
    private static let service = "net.reactivated.Fprint"
    private static let manager = service + ".Manager"
    private static let device = service + ".Device"
    private static let bus = "org.freedesktop.DBus"

    private let environment: [String: String]
    private let logger: Logger

    init(environment: [String: String], logger: Logger) {
        self.environment = environment
        self.logger = logger
    }

    func verify() async -> FingerprintOutcome {
        guard let waker = Waker() else { return .unavailable }
        return await withTaskCancellationHandler {
            // Blocks until a finger comes: run it off the cooperative pool.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in continuation.resume(returning: read(until: waker)) }
            }
        } onCancel: {
            waker.wake()
        }
    }

    private func read(until waker: Waker) -> FingerprintOutcome {
        guard let address = Bus.system.address(in: environment) else { return .unavailable }
        do {
            let bus = try BusConnection.open(address: address)
            guard bus.isRoots else {
                logger.warning("fingerprints are not taken: another user than root runs the system bus")
                return .unavailable
            }
            let path = try bus.call(
                Self.service, "/net/reactivated/Fprint/Manager", Self.manager, "GetDefaultDevice", starts: true
            ).readText(.object)
            guard !waker.isAwake else { return .stopped }
            // An empty name is the caller's own.
            _ = try bus.call(Self.service, path, Self.device, "Claim", "")
            defer { _ = try? bus.call(Self.service, path, Self.device, "Release") }
            return try Self.verify(on: bus, path, until: waker)
        } catch {
            logger.info("the fingerprint reader cannot be used", metadata: ["reason": "\(error)"])
            return .unavailable
        }
    }

    private static func verify(
        on bus: borrowing BusConnection, _ path: String, until waker: Waker
    ) throws(BusError) -> FingerprintOutcome {
        for rule in [
            "type='signal',sender='\(service)',path='\(path)',interface='\(device)',member='VerifyStatus'",
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(service)'",
        ] {
            _ = try bus.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "AddMatch", rule)
        }
        let owner = try bus.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "GetNameOwner", service).readText()
        // What was said before VerifyStart does not count.
        while !waker.isAwake, try bus.takeNext({ _ in }) {}
        guard !waker.isAwake else { return .stopped }
        _ = try bus.call(service, path, device, "VerifyStart", "any")
        defer { _ = try? bus.call(service, path, device, "VerifyStop") }
        while !waker.isAwake {
            var outcome: FingerprintOutcome?
            let hasMore = try bus.takeNext { message in
                guard message.isSignal else { return }
                if message.sender == Self.bus, message.member == "NameOwnerChanged" { outcome = .unavailable }
                guard message.sender == owner, message.path == path, message.interface == device,
                    message.member == "VerifyStatus", message.signature == "sb"
                else { return }
                outcome = (try? (message.readText(), message.readFlag())).flatMap(Self.outcome)
            }
            if let outcome { return outcome }
            if !hasMore { try bus.wait(waker) }
        }
        return .stopped
    }

    /// The outcome that a status states; `nil` while the user is to try again.
    private static func outcome(of status: String, isDone: Bool) -> FingerprintOutcome? {
        switch status {
        case "verify-match": .matched
        case "verify-no-match": .notMatched
        default: isDone ? .unavailable : nil
        }
    }
}
