// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// Apple's module brings Foundation along, and sources written against it use `NSError`, `Data` and `URL` without
// importing more.
@_exported public import Foundation
