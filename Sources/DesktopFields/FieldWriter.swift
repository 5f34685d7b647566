// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
package import MainLoop

/// Why a form was not filled, or not as a whole.
package enum WriteFailure: Error, Equatable, Sendable {
    /// Nothing was written; the sentence's end says why.
    case refused(String)
    /// Some fields were written and others not.
    case partly(String)
    /// The program was given a text and did not say whether it took it.
    case unknown(String)

    package var sentence: String {
        switch self {
        case .refused(let reason): "Nothing was filled: \(reason)."
        case .partly(let reason): "The form was filled in part: \(reason)."
        case .unknown(let reason): "The form may have been filled: \(reason)."
        }
    }
}

/// Writes into exactly the fields that the user saw when they chose.
@DesktopActor package struct FieldWriter {
    private let reader: WindowReader
    /// How often a program that does not answer in time is asked for its form.
    private static let looks = 3

    package nonisolated init(reader: WindowReader = WindowReader()) {
        self.reader = reader
    }

    /// Looks at the form again, then writes.
    ///
    /// - Parameters:
    ///   - process: The process that the form belonged to when it was found.
    ///   - values: What to write, by the field's `ref`.
    package func write(
        _ values: [(ref: Int, value: SecretBytes)], into form: WindowForm, of process: Int32
    ) throws(WriteFailure) {
        let fields = values.compactMap { value in
            form.fields.first { $0.ref == value.ref }.map { (field: $0, value: value.value) }
        }
        guard fields.count == values.count, !fields.isEmpty else { throw .refused("the form has other fields now") }
        reader.begin(on: form.focused)
        defer { reader.end(on: form.focused) }
        // All fields before the first is written, so that nothing is left half filled for a reason that can be seen now.
        try look(at: form, of: process)
        // Reading the form has ended its time.
        reader.begin(on: form.focused)
        for (index, (field, value)) in fields.enumerated() {
            do throws(WriteFailure) {
                // The program has had time since the last look.
                try check(field, in: form, of: process)
            } catch {
                guard index > 0, case .refused(let reason) = error else { throw error }
                throw .partly(reason)
            }
            switch Self.write(value, into: field.object) {
            case true?: continue
            case false?:
                throw index > 0 ? .partly("a field did not take its text") : .refused("the field did not take its text")
            case nil: throw .unknown("the program did not answer")
            }
        }
    }

    /// Whether a field is still what it was: of the same process, in the same window, shown, and as secret as before.
    func check(_ field: WindowField, in form: WindowForm, of process: Int32) throws(WriteFailure) {
        let object = field.object
        guard object.process == process else { throw .refused("the program is gone") }
        object.foresee([.role, .states, .parent])
        guard let role = object.role, role.isField else {
            throw .refused("the field is gone")
        }
        guard (role == .passwordText) == field.isSecure else {
            throw .refused(
                field.isSecure ? "the field no longer hides what is typed" : "the field hides what is typed now")
        }
        guard reader.isFillable(object) else { throw .refused("the field is no longer shown, or takes no text now") }
        guard form.holds(object) else { throw .refused("the field is in another window now") }
    }

    /// Whether the form is still what it was: the same fields, for the same, in the same window.
    func look(at form: WindowForm, of process: Int32) throws(WriteFailure) {
        for _ in 0..<Self.looks {
            do throws(NoForm) {
                let now = try reader.form(around: form.focused)
                if now.isSame(as: form), reader.isFillable(form.focused) { return }
                break
            } catch {
                // A program that was held up for a moment is asked again.
                guard [.tooSlow, .notListed, .gone].contains(error), !form.focused.isGone else { break }
            }
        }
        // What has changed about a field says more than that the form has.
        reader.begin(on: form.focused)
        for field in form.fields { try check(field, in: form, of: process) }
        throw .refused("the form has changed")
    }

    private static func write(_ value: SecretBytes, into object: AccessibleObject) -> Bool? {
        // C wants the text to end with a zero; the copy is in locked memory, too.
        let terminated = SecretBytes(count: value.count + 1)
        terminated.withUnsafeMutableBytes { target in
            value.withUnsafeBytes { source in target.copyMemory(from: source) }
            target[value.count] = 0
        }
        return terminated.withUnsafeBytes { bytes in
            guard let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self), !bytes.dropLast().contains(0)
            else {
                return false
            }
            return object.replaceText(text)
        }
    }
}
