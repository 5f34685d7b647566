// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's class of the same name: a node of the interface that an extension shows.
///
/// Nothing is drawn in the extension's process. What a renderer can show (see `ListView`) is found in the tree of views
/// and sent to it; a plain view only holds others.
@MainActor
open class UIView: UIResponder, @MainActor NSCoding {
    /// The view that holds this one.
    public private(set) weak var superview: UIView?
    /// The views that this one holds, in the order they were added.
    public private(set) var subviews: [UIView] = []
    /// The controller whose view this is.
    weak var owner: UIViewController?

    /// Whether this view, with all it holds, is left out of what is shown.
    open var isHidden = false {
        didSet { interfaceDidChange() }
    }

    /// The rectangle in the superview. Kept, and without meaning here: the renderer lays out.
    open var frame: CGRect

    /// The rectangle in the view's own terms.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    /// A view of a size; the designated initialiser, as in UIKit.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// A view without a size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// Interface Builder's way in. There are no archives of views here, so the result is an empty view.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    /// Writes nothing: there are no archives of views here.
    open func encode(with coder: NSCoder) {}

    /// Adds a view at the end, taking it from where it was.
    open func addSubview(_ view: UIView) {
        guard view !== self, !isInside(view) else { return }
        view.superview?.subviews.removeAll { $0 === view }
        view.superview = self
        subviews.append(view)
        interfaceDidChange()
    }

    /// Takes this view out of the one that holds it.
    open func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        superview.interfaceDidChange()
    }

    /// Tells whoever sends the interface that it is another one now.
    func interfaceDidChange() {
        owner?.interfaceDidChange()
        superview?.interfaceDidChange()
    }

    /// The first list below (or at) this view that is to be seen and knows its rows.
    var firstList: ListView? {
        guard !isHidden else { return nil }
        if let list = self as? ListView, list.sections != nil { return list }
        for view in subviews {
            if let list = view.firstList { return list }
        }
        return nil
    }

    private func isInside(_ view: UIView) -> Bool {
        var next = superview
        while let current = next {
            if current === view { return true }
            next = current.superview
        }
        return false
    }
}
