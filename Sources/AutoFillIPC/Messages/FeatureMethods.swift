// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods of the daemon itself, for every client.
public enum DaemonMethods {
    /// The features of this installation, so that a client of another version knows which requests it supports.
    public enum Features: WireMethod {
        public static let name = "daemon.features"
        public typealias Params = Empty

        public struct Answer: Codable, Sendable, Equatable {
            /// The version of each feature by name. It increases when existing members change their meaning.
            public var features: [String: Int]

            public init(features: [String: Int]) {
                self.features = features
            }
        }
    }
}
