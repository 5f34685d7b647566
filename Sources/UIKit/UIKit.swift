// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// UIKit's part of a provider is declared by AuthenticationServices, which brings UIKit along on iOS too. This module has
// nothing of its own: with it files compile that import only UIKit.
@_exported public import AuthenticationServices
