// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGIO
internal import MainLoop

/// What an object is asked while a window is read.
struct Question: Hashable, Sendable {
    private enum Argument: Hashable {
        case property(interface: String)
        case number(UInt32)
    }

    let interface: String
    let method: String
    private let argument: Argument?

    private init(_ method: String, of interface: String = AccessibleObject.accessible, number: UInt32? = nil) {
        self.method = method
        self.interface = interface
        argument = number.map(Argument.number)
    }

    private init(property name: String) {
        method = name
        interface = "org.freedesktop.DBus.Properties"
        argument = .property(interface: AccessibleObject.accessible)
    }

    static let role = Question("GetRole")
    static let states = Question("GetState")
    static let attributes = Question("GetAttributes")
    static let relations = Question("GetRelationSet")
    static let interfaces = Question("GetInterfaces")
    static let children = Question("GetChildren")
    static let name = Question(property: "Name")
    static let identifier = Question(property: "AccessibleId")
    static let parent = Question(property: "Parent")

    static func place(onScreen: Bool) -> Question {
        Question("GetExtents", of: AccessibleObject.component, number: onScreen ? 0 : 1)
    }

    /// The method that is called, and its arguments, each of which the call takes.
    var call: (method: String, arguments: [OpaquePointer?]) {
        switch argument {
        case nil: (method, [])
        case .number(let number): (method, [g_variant_new_uint32(number)])
        case .property(let interface): ("Get", [g_variant_new_string(interface), g_variant_new_string(method)])
        }
    }
}

/// Answers to questions that were asked before they are needed, many at a time. An answer is used once; a later question is asked again.
@DesktopActor struct ForeseenAnswers {
    struct Key: Hashable {
        let name: String
        let path: String
        let question: Question
    }

    /// How many questions wait for an answer at a time. A bus may allow no more than 128.
    private static let atOnce = 100
    /// An answer with more bytes than these counts as none. The children of an object, 200 of them, take a third of it.
    static let longest: gsize = 1 << 16

    private final class Round {
        var waiting = 0
        var answers: [Key: OpaquePointer] = [:]
    }

    /// Where an answer belongs.
    private final class Place {
        let key: Key
        let round: Round

        init(_ key: Key, _ round: Round) {
            (self.key, self.round) = (key, round)
        }
    }

    /// `nil` for a question that was not answered.
    private var answers: [Key: OpaquePointer?] = [:]

    /// - Returns: `nil` if it was not asked; an answer that is `nil` if it was asked in vain.
    mutating func take(_ key: Key) -> OpaquePointer?? { answers.removeValue(forKey: key) }

    mutating func forget() {
        for case let answer? in answers.values { g_variant_unref(answer) }
        answers = [:]
    }

    /// Asks, and waits until each question is answered or its time is over.
    mutating func ask(_ all: [Key], over connection: OpaquePointer, milliseconds: () -> Int32) {
        // A program may name one object twice; each question is asked once.
        var seen: Set<Key> = []
        let keys = all.filter { seen.insert($0).inserted }
        // Only what is asked here is waited for; everything else that the main loop has to do comes later.
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        defer {
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        for start in stride(from: 0, to: keys.count, by: Self.atOnce) {
            let round = Round()
            let asked = keys[start..<min(start + Self.atOnce, keys.count)]
            for key in asked {
                let (method, arguments) = key.question.call
                round.waiting += 1
                g_dbus_connection_call(
                    connection, key.name, key.path, key.question.interface, method,
                    g_variant_new_tuple(arguments.isEmpty ? nil : arguments, gsize(arguments.count)), nil,
                    G_DBUS_CALL_FLAGS_NO_AUTO_START, milliseconds(), nil,
                    { connection, result, data in
                        guard let connection, let data else { return }
                        let place = Unmanaged<Place>.fromOpaque(data).takeRetainedValue()
                        place.round.waiting -= 1
                        guard let answer = g_dbus_connection_call_finish(OpaquePointer(connection), result, nil) else {
                            return
                        }
                        if g_variant_get_size(answer) > ForeseenAnswers.longest {
                            g_variant_unref(answer)
                        } else {
                            place.round.answers[place.key] = answer
                        }
                    }, Unmanaged.passRetained(Place(key, round)).toOpaque())
            }
            while round.waiting > 0 { g_main_context_iteration(context, 1) }
            for key in asked {
                if case let answer?? = answers.updateValue(round.answers[key], forKey: key) { g_variant_unref(answer) }
            }
            // Who has answered none of these is asked nothing more: the bus keeps each question that waits.
            if round.answers.isEmpty {
                for key in keys[asked.endIndex...] where answers[key] == nil { answers.updateValue(nil, forKey: key) }
                return
            }
        }
    }
}
