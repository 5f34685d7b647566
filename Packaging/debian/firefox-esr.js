// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// Firefox looks for new extensions of the system (/usr/share/mozilla/extensions) only when a profile is made and after an update of
// Firefox itself. With this it looks at each start (8 stands for that folder), so that profiles which were there before the package
// have the extension too. Only root can put extensions there.
pref("extensions.startupScanScopes", 8);
