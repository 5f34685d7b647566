// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The origin of Latchkey's own extension; it follows from the key in `BrowserExtension/manifest.json`.
let ownExtension = "chrome-extension://malldjagemimmcmdgodgcdpnfmccpage/"
