// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Recognises the bus signals that announce a message, and reads the message.
protocol BusCodeListening: Sendable {
    var origin: CodeOrigin { get }
    var bus: Bus { get }
    /// The bus name of the one service to listen to.
    var service: String { get }
    /// The service's name for display.
    var title: String { get }
    /// The match rules for the bus, besides the one for changes of the service's owner.
    var matchRules: [String] { get }

    /// Which objects are to be read after a signal of the service.
    mutating func objects(after signal: BusSignal) -> [String]

    /// Reads an object's texts that may contain a code, the likeliest first; empty if there is nothing to read, or not yet.
    func texts(of path: String, on connection: borrowing BusConnection) throws(BusError) -> [SecretBytes]
}

/// Listens to one service on one bus, from one thread. A bus that is not there, or goes away, is looked for again.
struct BusCodeSource<Listener: BusCodeListening>: CodeSource {
    let listener: Listener
    let address: String?
    var retry: Duration = .seconds(60)

    var origin: CodeOrigin { listener.origin }

    func start(
        until waker: Waker, report: @escaping @Sendable (CodeSourceState) -> Void,
        deliver: @escaping @Sendable (CodeDelivery) -> Void
    ) {
        guard let address else { return report(.waiting("there is no \(listener.bus.rawValue) bus")) }
        Thread.detachNewThread {
            while !waker.isAwake {
                do throws(BusError) {
                    try listen(address, waker, report, deliver)
                } catch {
                    report(.waiting("the \(listener.bus.rawValue) bus is not there: \(error)"))
                    waker.wait(atMost: retry)
                }
            }
        }
    }

    private func listen(
        _ address: String, _ waker: Waker, _ report: (CodeSourceState) -> Void, _ deliver: (CodeDelivery) -> Void
    ) throws(BusError) {
        let connection = try BusConnection.open(address: address)
        var listener = listener
        // Add the rules before asking for the owner: a change in between arrives as a signal.
        for rule in listener.matchRules + [Self.ownerRule(listener.service)] { try connection.add(rule: rule) }
        var owner = try connection.owner(of: listener.service)
        while !waker.isAwake {
            report(owner == nil ? .waiting("\(listener.title) is not running") : .ready(listener.title))
            switch try connection.next() {
            case .signal(let signal):
                if let change = Self.owner(signal, of: listener.service) {
                    owner = change.isEmpty ? nil : change
                } else if signal.sender == owner {
                    for path in listener.objects(after: signal) where !waker.isAwake {
                        // Skip a message that is gone by now or cannot be read.
                        guard let texts = try? listener.texts(of: path, on: connection), !texts.isEmpty else {
                            continue
                        }
                        deliver(.texts(texts))
                    }
                }
            case .nothing: break
            case .idle: try connection.wait(waker)
            }
        }
    }

    private static func ownerRule(_ service: String) -> String {
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
            + "arg0='\(service)'"
    }

    /// The new owner of a service, if a signal of the bus itself announces one; empty if nobody owns it now.
    private static func owner(_ signal: BusSignal, of service: String) -> String? {
        guard signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged",
            case .owner(service, _, let new) = signal.body
        else { return nil }
        return new
    }
}
