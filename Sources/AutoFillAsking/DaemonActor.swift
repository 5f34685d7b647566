// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Serializes all changes to the daemon's state.
///
/// The owners of this state are classes on the actor. They call one another without `await`, so no other change can come between.
@globalActor package actor DaemonActor {
    package static let shared = DaemonActor()
}
