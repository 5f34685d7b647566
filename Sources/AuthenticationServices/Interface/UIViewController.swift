// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's class of the same name: the part of it that a credential provider extension needs.
@preconcurrency @MainActor
open class UIViewController: UIResponder, @MainActor NSCoding, @MainActor NSExtensionRequestHandling {
    /// A name for people; of the controller that is seen it stands above the interface.
    open var title: String? {
        didSet { interfaceDidChange() }
    }
    /// The controllers whose views are embedded in this one's.
    public internal(set) var children: [UIViewController] = []
    /// The controller that embeds this one.
    public internal(set) weak var parent: UIViewController?
    /// How this controller asks to be shown. Kept, and without meaning here: the renderer decides.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// How this controller asks to come. Kept, and without meaning here: there is no animation.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// The size that it asks for. Kept, and without meaning here: the renderer decides.
    open var preferredContentSize = CGSize.zero
    /// Whether dismissing is to be left to this controller. Kept, and without meaning here: Latchkey's own way to cancel
    /// is always there.
    open var isModalInPresentation = false

    /// The context of the request that began with `beginRequest(with:)`.
    var requestContext: NSExtensionContext?
    /// What sends the interface when it has changed.
    var onInterfaceChange: (() -> Void)?
    /// What this very controller is covered by, those that embed it aside.
    var cover: UIViewController?
    /// What this very controller covers.
    weak var covered: UIViewController?
    /// What is to be done once the cover is on the screen.
    var onceCovered: (() -> Void)?
    /// Whether the view is on the screen: between `viewWillAppear` and `viewWillDisappear`.
    var isOnScreen = false
    private var loadedView: UIView?

    /// The designated initialiser, as in UIKit. There are no nib files here: both parameters are ignored.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    /// A controller whose view is made by `loadView()`.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// The storyboard's way in. There are none here, so nothing is read from the coder.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// Writes nothing: there are no archives of controllers here.
    open func encode(with coder: NSCoder) {}

    /// The context of the extension request: this controller's own, or that of the nearest controller which embeds or
    /// presents it and has one.
    open var extensionContext: NSExtensionContext? {
        // Nothing keeps a child from presenting its parent, so none is asked twice.
        var (asked, next) = (Set<ObjectIdentifier>(), self as UIViewController?)
        while let controller = next, asked.insert(ObjectIdentifier(controller)).inserted {
            if let context = controller.requestContext { return context }
            next = controller.parent ?? controller.presentingViewController
        }
        return nil
    }

    /// Takes the context of a request. Delivered after `init` and before `loadView()`; who overrides it calls `super`.
    open func beginRequest(with context: NSExtensionContext) {
        requestContext = context
    }

    /// The view, which is loaded when it is first asked for.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.owner = nil
            loadedView = newValue
            newValue?.owner = self
            interfaceDidChange()
        }
    }

    /// The view, when it is loaded.
    open var viewIfLoaded: UIView? { loadedView }

    /// Whether the view is loaded.
    open var isViewLoaded: Bool { loadedView != nil }

    /// Loads the view if that has not happened.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        // An override that forgets to set a view must not send `view` round in circles.
        if loadedView == nil { view = UIView() }
        viewDidLoad()
    }

    /// Makes the view. An override sets `view` and does not call `super`.
    open func loadView() {
        view = UIView()
    }

    /// The view is loaded.
    open func viewDidLoad() {}
    /// The interface is about to be shown.
    open func viewWillAppear(_ animated: Bool) {}
    /// The interface is shown.
    open func viewDidAppear(_ animated: Bool) {}
    /// The interface is about to go.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The interface is gone.
    open func viewDidDisappear(_ animated: Bool) {}

    /// The view's parts are about to be placed, which the renderer does: never called here.
    open func viewWillLayoutSubviews() {}
    /// The view's parts have been placed, which the renderer does: never called here.
    open func viewDidLayoutSubviews() {}

    /// What is known of the screen: nothing, every trait is unspecified.
    open var traitCollection: UITraitCollection { UITraitCollection() }
    /// The traits have changed. Never called here: they do not change.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// Light or dark, whatever the screen is. Kept, and without meaning here: the renderer decides.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    /// How the status bar is to look. Never asked for here: there is none.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    /// Whether the status bar is to be hidden. Never asked for here: there is none.
    open var prefersStatusBarHidden: Bool { false }
    /// How the status bar is to change. Never asked for here: there is none.
    open var preferredStatusBarUpdateAnimation: UIStatusBarAnimation { .fade }
    /// The child that says how the status bar is to look. Never asked for here: there is none.
    open var childForStatusBarStyle: UIViewController? { nil }
    /// The child that says whether the status bar is hidden. Never asked for here: there is none.
    open var childForStatusBarHidden: UIViewController? { nil }
    /// Does nothing: there is no status bar.
    open func setNeedsStatusBarAppearanceUpdate() {}

    /// Memory is short. Never called here: the process ends instead.
    open func didReceiveMemoryWarning() {}

    /// Embeds a controller; its view has to be added to this one's too.
    open func addChild(_ childController: UIViewController) {
        guard childController !== self, !isInside(childController) else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    /// Takes this controller out of the one that embeds it.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// The controller is about to get another parent.
    open func willMove(toParent parent: UIViewController?) {}
    /// The controller has got another parent.
    open func didMove(toParent parent: UIViewController?) {}

    /// Shows a controller over this one, or over the outermost that embeds this one. There is no animation here:
    /// `completion` is called before this returns, or, where this controller is not on the screen yet, as soon as it is.
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        put(viewControllerToPresent, over: outermost, then: completion)
    }

    /// Takes away what is shown over this controller, or this controller where nothing is shown over it.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if outermost.cover != nil {
            uncover(outermost)
            completion?()
        } else if let presentingViewController {
            presentingViewController.dismiss(animated: flag, completion: completion)
        }
    }

    /// Shows a controller in the nearest stack that this one is in, or over this one where it is in none.
    open func show(_ viewController: UIViewController, sender: Any?) {
        if let navigationController {
            navigationController.pushViewController(viewController, animated: false)
        } else {
            present(viewController, animated: false)
        }
    }

    private func isInside(_ controller: UIViewController) -> Bool {
        var next = parent
        while let current = next {
            if current === controller { return true }
            next = current.parent
        }
        return false
    }

    func interfaceDidChange() {
        onInterfaceChange?()
        parent?.interfaceDidChange()
        covered?.interfaceDidChange()
    }
}
