// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The version of everything in this package.
public let latchkeyVersion = "0.1.0"

/// The newest version of the wire that this build speaks.
public let wireVersion = 1
