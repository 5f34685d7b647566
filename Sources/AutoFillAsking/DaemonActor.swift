// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Everything that changes in the daemon changes on this actor, one step at a time.
///
/// The owners of the daemon's state are classes on it. They call one another without `await`, so that nothing comes in between.
@globalActor package actor DaemonActor {
    package static let shared = DaemonActor()
}
