// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation

/// Stands in for UIKit's class of the same name: a node of the interface that an extension shows.
///
/// Nothing is drawn in the extension's process. What a renderer can show (`MessageView`, `TextField`, `ButtonView`,
/// `ToggleView`, `ListView`, `ProgressView`) is found in the tree of views and sent to it, in the order of the tree; a
/// plain view only holds others. What goes beyond the bounds of an interface (64 elements, 500 rows, 1,024 bytes of each
/// text) is left out.
@preconcurrency @MainActor
open class UIView: UIResponder, @MainActor NSCoding {
    private static var lastElementNumber = 0

    /// The view that holds this one.
    public private(set) weak var superview: UIView?
    /// The views that this one holds, in the order they were added.
    public private(set) var subviews: [UIView] = []
    /// The controller whose view this is.
    weak var owner: UIViewController?

    /// What the renderer knows this view by. As long as it stays the same, the renderer keeps what the user has typed.
    private(set) var elementName = UIView.makeElementName()

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

    /// A number of the owner's. Kept, and without meaning here.
    open var tag = 0

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
        view.removeFromSuperview()
        view.superview = self
        subviews.append(view)
        if isOnScreen { UIViewController.appear(view.controllers) }
        interfaceDidChange()
    }

    /// Takes this view out of the one that holds it.
    open func removeFromSuperview() {
        guard let superview else { return }
        let leaving = isOnScreen ? controllers : []
        for controller in leaving { controller.viewWillDisappear(false) }
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        UIViewController.disappeared(leaving)
        superview.interfaceDidChange()
    }

    /// Asks that typing into this view, or one inside of it, ends. Does nothing: what was typed arrives with the press of a
    /// button.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool { true }

    /// Places what it holds, which the renderer does: never called here.
    open func layoutSubviews() {}
    /// Asks that what it holds is placed anew. Does nothing: the renderer lays out.
    open func setNeedsLayout() {}
    /// Asks that what it holds is placed now. Does nothing: the renderer lays out.
    open func layoutIfNeeded() {}

    /// Whether it is that view, or inside of it.
    open func isDescendant(of view: UIView) -> Bool {
        self === view || isInside(view)
    }

    /// Tells whoever sends the interface that it is another one now.
    func interfaceDidChange() {
        owner?.interfaceDidChange()
        superview?.interfaceDidChange()
    }

    /// The controllers whose views are this one or inside of it, outer ones first.
    var controllers: [UIViewController] {
        (owner.map { [$0] } ?? []) + subviews.flatMap(\.controllers)
    }

    /// What the renderer draws for this view; nothing for one that only holds others.
    ///
    /// - Parameter room: What is left of the interface's bounds.
    func element(in room: InterfaceRoom) -> InterfaceElement? { nil }

    /// What is to be done when the user did something with this view; throws what is to be said about an act that this
    /// view does not have.
    func response(to act: InterfaceAct) throws(WireError) -> (() -> Void) {
        throw WireError(.invalidParams, "This element has no such action.")
    }

    /// From now on the renderer takes this view for another one, and forgets what the user has typed into it.
    func renameElement() {
        elementName = Self.makeElementName()
    }

    private static func makeElementName() -> String {
        lastElementNumber += 1
        return String(lastElementNumber)
    }

    private var isOnScreen: Bool {
        var root = self
        while let next = root.superview { root = next }
        return root.owner?.isOnScreen ?? false
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
