// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Which password an account has after an import that brings another one for it.
enum PasswordChoice: String, CaseIterable, ExpressibleByArgument {
    /// The file's; the saved one goes into the history.
    case file
    /// The saved one; the file's goes into the history.
    case saved
    /// Both: the row becomes an account of its own.
    case both
}
