// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// A client over which the user can be asked, as far as asking needs to know it.
package protocol QuestionClient: Sendable {
    /// The number of its connection.
    var number: Int { get }
    /// Its conversation, or `nil` once it has left.
    var peer: Peer? { get }
    /// The client's name as shown in a question.
    var requester: String { get }
    /// Whether it draws the system's questions in windows of its own: a browser.
    var hasWindows: Bool { get }
    /// Whether it draws the system's questions.
    var drawsQuestions: Bool { get }
}
