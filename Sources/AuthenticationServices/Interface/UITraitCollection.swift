// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's class of the same name: what a controller knows of the screen.
///
/// The renderer draws elsewhere and says nothing about it, so every trait of a controller is unspecified, as UIKit has it
/// for what is on no screen.
open class UITraitCollection: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let style: UIUserInterfaceStyle

    /// Traits that are all unspecified.
    public override init() {
        style = .unspecified
        super.init()
    }

    /// Traits of which one is specified.
    public init(userInterfaceStyle: UIUserInterfaceStyle) {
        style = userInterfaceStyle
        super.init()
    }

    /// Traits that are all unspecified: there are no archives of them here.
    public required init?(coder: NSCoder) {
        style = .unspecified
        super.init()
    }

    /// Writes nothing: there are no archives of traits here.
    open func encode(with coder: NSCoder) {}

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both have the same traits.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UITraitCollection)?.style == style
    }

    /// The same for equal traits.
    open override var hash: Int { style.rawValue }

    /// Light or dark; unspecified but for traits that were made with it.
    open var userInterfaceStyle: UIUserInterfaceStyle { style }
    /// The kind of device: always unspecified.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }
    /// The width: always unspecified.
    open var horizontalSizeClass: UIUserInterfaceSizeClass { .unspecified }
    /// The height: always unspecified.
    open var verticalSizeClass: UIUserInterfaceSizeClass { .unspecified }
    /// Pixels for each point: always 0, which is unspecified.
    open var displayScale: CGFloat { 0 }

    /// Whether colours would be others under these traits.
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        style != traitCollection?.style ?? .unspecified
    }
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIUserInterfaceStyle: Int, Sendable {
    /// Not known.
    case unspecified = 0
    /// Light.
    case light = 1
    /// Dark.
    case dark = 2
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIUserInterfaceSizeClass: Int, Sendable {
    /// Not known.
    case unspecified = 0
    /// Little room.
    case compact = 1
    /// Much room.
    case regular = 2
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Not known.
    case unspecified = -1
    /// A telephone.
    case phone = 0
    /// A tablet.
    case pad = 1
    /// A television.
    case tv = 2
    /// A car.
    case carPlay = 3
    /// A computer.
    case mac = 5
    /// A headset.
    case vision = 6
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIStatusBarStyle: Int, Sendable {
    /// As the system likes.
    case `default` = 0
    /// For dark backgrounds.
    case lightContent = 1
    /// For light backgrounds.
    case darkContent = 3
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIStatusBarAnimation: Int, Sendable {
    /// At once.
    case none = 0
    /// Fading.
    case fade = 1
    /// Sliding.
    case slide = 2
}
