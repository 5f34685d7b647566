// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The search of the desktop, for settings (section 6).
public enum Search {
    /// Asks whether a process may see what is saved, as far as a search shows it.
    public enum Admit: WireMethod {
        public static let name = "search.admit"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The process that the session bus names as the one that searches.
            public var process: Int32

            public init(process: Int32) {
                self.process = process
            }
        }
    }
}
