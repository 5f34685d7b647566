// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's class of the same name: the root of views and view controllers.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// A responder without anything.
    public override init() {
        super.init()
    }

    /// Whether it could be typed into from the start: false, since the renderer decides where the user begins.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether it is typed into. Not known here: always false.
    open var isFirstResponder: Bool { false }
    /// Whether typing into it may end: always true.
    open var canResignFirstResponder: Bool { true }

    /// Asks that the user types here. Does nothing and answers false: the renderer decides where the user begins.
    @discardableResult
    open func becomeFirstResponder() -> Bool { false }

    /// Asks that the user types here no longer. Does nothing: what was typed arrives with the press of a button.
    @discardableResult
    open func resignFirstResponder() -> Bool { true }
}

/// Stands in for UIKit's class of the same name: the bytes of a picture, not decoded.
open class UIImage: NSObject {
    /// The bytes as they were given.
    public let data: Data

    /// Refuses no bytes at all; whether the rest is a picture is for the renderer to find out.
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.data = data
        super.init()
    }
}

/// The name by which AuthenticationServices speaks of view controllers on every system.
public typealias ASViewController = UIViewController

/// Stands in for UIKit's class of the same name: a view that no other holds. Nothing is drawn in it.
open class UIWindow: UIView {}

/// The name by which AuthenticationServices speaks of windows on every system.
public typealias ASPresentationAnchor = UIWindow

/// The name by which AuthenticationServices speaks of images on every system.
public typealias ASImage = UIImage
