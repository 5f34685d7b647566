// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Stands in for UIKit's type of the same name: how a controller asks to be shown; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIModalPresentationStyle: Int, Sendable {
    /// Over everything.
    case fullScreen = 0
    /// On a sheet.
    case pageSheet = 1
    /// On a small sheet.
    case formSheet = 2
    /// In place of another controller.
    case currentContext = 3
    /// In some way of the app's.
    case custom = 4
    /// Over everything, which stays to be seen.
    case overFullScreen = 5
    /// Over another controller, which stays to be seen.
    case overCurrentContext = 6
    /// In a bubble.
    case popover = 7
    /// Not to be changed.
    case none = -1
    /// As the system likes.
    case automatic = -2
}

/// Stands in for UIKit's type of the same name: how a controller comes and goes; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIModalTransitionStyle: Int, Sendable {
    /// From below.
    case coverVertical = 0
    /// Turning around.
    case flipHorizontal = 1
    /// Fading.
    case crossDissolve = 2
    /// As a page is turned.
    case partialCurl = 3
}
