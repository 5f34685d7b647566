// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension InternetAddress {
    /// Whether the kernel's routes deliver what is sent to it on this computer now. What cannot be asked counts as that.
    var isRoutedHere: Bool {
        bytes.withUnsafeBytes { latchkey_is_routed_here($0.baseAddress, $0.count) } != 0
    }
}
