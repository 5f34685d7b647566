// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's class of the same name: a stack of controllers of which the last is seen.
///
/// There is no bar and no animation. The first controller is never popped.
@preconcurrency @MainActor
open class UINavigationController: UIViewController {
    /// The controllers from the first to the one that is seen.
    open var viewControllers: [UIViewController] {
        get { children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The controller that is seen.
    open var topViewController: UIViewController? { viewControllers.last }

    /// The controller that is seen, or what is presented over it.
    open var visibleViewController: UIViewController? { topViewController?.topmost }

    /// Whether the bar above is hidden. Kept, and without meaning here: there is no bar of the provider's.
    open var isNavigationBarHidden = false

    /// Hides or shows the bar above. Kept, and without meaning here: there is no bar of the provider's.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
    }

    /// A stack of one controller.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }

    /// A stack of none. There are no nib files here: both parameters are ignored.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// The storyboard's way in. There are none here, so it is a stack of none.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Makes these the stack.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        for controller in children where !viewControllers.contains(where: { $0 === controller }) { drop(controller) }
        for controller in viewControllers {
            addChild(controller)
            controller.didMove(toParent: self)
        }
        showTop()
    }

    /// Puts a controller on the stack, which is seen from now on.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        guard !children.contains(where: { $0 === viewController }) else { return }
        addChild(viewController)
        viewController.didMove(toParent: self)
        showTop()
    }

    /// Takes the controller that is seen off the stack, if it is not the first.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard children.count > 1, let last = children.last else { return nil }
        drop(last)
        showTop()
        return last
    }

    /// Takes all controllers but the first off the stack.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let popped = Array(children.dropFirst())
        for controller in popped { drop(controller) }
        showTop()
        return popped
    }

    /// The stack's view holds the view of the controller that is seen, and no other.
    open override func viewDidLoad() {
        super.viewDidLoad()
        showTop()
    }

    private func drop(_ controller: UIViewController) {
        controller.willMove(toParent: nil)
        controller.viewIfLoaded?.removeFromSuperview()
        controller.removeFromParent()
    }

    private func showTop() {
        guard isViewLoaded, let view = viewIfLoaded else { return }
        for child in children.dropLast() { child.viewIfLoaded?.removeFromSuperview() }
        guard let top = children.last, let topView = top.view, topView.superview !== view else { return }
        view.addSubview(topView)
    }
}

extension UIViewController {
    /// The nearest stack of controllers that this one is in.
    public var navigationController: UINavigationController? {
        var next = parent
        while let current = next {
            if let navigation = current as? UINavigationController { return navigation }
            next = current.parent
        }
        return nil
    }
}
