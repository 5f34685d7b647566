// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Tag {
    /// A test that starts a real process, or speaks to one: when it comes to an end depends on the machine, too.
    ///
    /// `scripts/unit-tests` runs such a test again alone when it failed among others, and no other test. A test that shows that something is
    /// not released, not lost or not filled never carries it, whatever it starts: one failure of it is enough. That is every test of the
    /// gate, of acts of the user, of locks, of the vault and of the matching.
    @Tag package static var startsProcess: Self
}
