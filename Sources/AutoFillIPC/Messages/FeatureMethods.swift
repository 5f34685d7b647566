// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What every client may ask of the daemon itself.
public enum DaemonMethods {
    /// What this installation can do, so that a client of another version knows what it may ask for.
    public enum Features: WireMethod {
        public static let name = "daemon.features"
        public typealias Params = Empty

        public struct Answer: Codable, Sendable, Equatable {
            /// The version of each feature by its name. A version grows when the same words mean something new.
            public var features: [String: Int]

            public init(features: [String: Int]) {
                self.features = features
            }
        }
    }
}
