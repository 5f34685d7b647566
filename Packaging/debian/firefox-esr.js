// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// With this, Firefox looks for new extensions of the system (8 stands for /usr/share/mozilla/extensions, where only root can put them)
// before it starts those it has. Otherwise a profile that was there before the package finds the extension some seconds later, and
// starts it next time without what it asks for at its installation: the right to be in pages.
pref("extensions.startupScanScopes", 8);
