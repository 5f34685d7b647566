// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What makes requests of one kind.
public protocol ASAuthorizationProvider: NSObjectProtocol {}
