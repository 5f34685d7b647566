// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Who is seen, and when it is told.
///
/// As in UIKit, what a controller presents covers the whole of the outermost controller that embeds it, and controllers
/// appear with the view that holds theirs.
extension UIViewController {
    /// The controller shown over this one, or over one that embeds it.
    public var presentedViewController: UIViewController? { outermost.cover }

    /// The controller that this one, or one that embeds it, is shown over.
    public var presentingViewController: UIViewController? { outermost.covered }

    /// The controller whose view is seen: what is shown over this one, and over that.
    var topmost: UIViewController {
        var controller = self
        while let cover = controller.presentedViewController { controller = cover }
        return controller
    }

    var outermost: UIViewController {
        var controller = self
        while let parent = controller.parent { controller = parent }
        return controller
    }

    /// Brings this controller onto the screen, with what it embeds and what it presents.
    func appear() {
        loadViewIfNeeded()
        Self.appear([self] + (viewIfLoaded?.controllers ?? []))
        cover?.appear()
        let waiting = onceCovered
        onceCovered = nil
        waiting?()
    }

    /// Takes this controller off the screen, what is shown over it first.
    func disappear() {
        cover?.disappear()
        let leaving = ([self] + (viewIfLoaded?.controllers ?? [])).filter(\.isOnScreen)
        guard !leaving.isEmpty else { return }
        var told: [UIViewController] = []
        for controller in leaving where !told.contains(where: { $0 === controller }) {
            told.append(controller)
            controller.viewWillDisappear(false)
        }
        Self.disappeared(told)
    }

    /// Tells those controllers that are not on the screen that they come onto it: first all that they will, then all
    /// that they have.
    static func appear(_ controllers: [UIViewController]) {
        var arriving: [UIViewController] = []
        for controller in controllers where !controller.isOnScreen {
            controller.isOnScreen = true
            arriving.append(controller)
            controller.viewWillAppear(false)
        }
        for controller in arriving { controller.viewDidAppear(false) }
    }

    /// Tells controllers, which have been told that they will, that they are off the screen.
    static func disappeared(_ controllers: [UIViewController]) {
        for controller in controllers {
            controller.isOnScreen = false
            controller.viewDidDisappear(false)
        }
    }

    func put(_ cover: UIViewController, over base: UIViewController, then completion: (() -> Void)?) {
        guard base.cover == nil, cover.parent == nil, cover.covered == nil, !base.isAbove(cover) else { return }
        base.cover = cover
        cover.covered = base
        cover.loadViewIfNeeded()
        base.interfaceDidChange()
        guard base.isOnScreen else {
            base.onceCovered = completion
            return
        }
        cover.appear()
        completion?()
    }

    func uncover(_ base: UIViewController) {
        guard let cover = base.cover else { return }
        cover.disappear()
        base.cover = nil
        base.onceCovered = nil
        cover.covered = nil
        base.interfaceDidChange()
    }

    /// Whether this controller is the other one, or covers it at some distance.
    private func isAbove(_ controller: UIViewController) -> Bool {
        var next: UIViewController? = self
        while let current = next {
            if current === controller { return true }
            next = current.covered?.outermost
        }
        return false
    }
}
