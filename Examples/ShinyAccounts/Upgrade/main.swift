// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

AccountModificationExtension.main({ AccountUpgradeViewController() }, name: "Shiny", version: "1.0")
