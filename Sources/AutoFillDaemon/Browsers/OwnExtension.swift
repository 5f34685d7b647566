// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Latchkey's own extension as each family of browsers names it: the origin follows from the key in `BrowserExtension/manifest.json`,
/// Firefox's identifier stands in `BrowserExtension/Firefox/manifest.json`.
let ownExtensions = ["chrome-extension://malldjagemimmcmdgodgcdpnfmccpage/", "latchkey@latchkey.org"]
