// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// One request with the view controller that serves it.
///
/// The controller's life is as on iOS: `init`, `beginRequest`, then, with an interface, `loadView`, `viewDidLoad`, the
/// method for the request, `viewWillAppear`, `viewDidAppear`, and `viewWillDisappear`, `viewDidDisappear` when the request
/// has ended. Without one it is `init`, `beginRequest` and the method; the view is not loaded.
@MainActor
final class ExtensionRequest {
    let controller: UIViewController
    private let ending: RequestEnding
    private var screen: ExtensionScreen?

    /// Gives the controller its context.
    ///
    /// - Parameter context: Makes one that ends with the request.
    init(controller: UIViewController, context: (RequestEnding) -> NSExtensionContext) {
        self.controller = controller
        ending = RequestEnding()
        let context = context(ending)
        // Set here too, for controllers that override `beginRequest` and forget `super`.
        controller.requestContext = context
        controller.beginRequest(with: context)
    }

    /// Whether nobody waits for the answer any more.
    var hasEnded: Bool { ending.outcome != nil }

    /// Runs a request while which nothing may be on the screen, and waits for its end.
    func runWithoutInterface(_ prepare: () -> Void) async -> RequestEnding.Outcome {
        controller.onInterfaceChange = { [weak self] in self?.refuseInterface() }
        refuseInterface()
        if !hasEnded { prepare() }
        return await ending.wait()
    }

    /// Runs a request with an interface, and waits for its end.
    func run(on screen: ExtensionScreen, _ prepare: () -> Void) async -> RequestEnding.Outcome {
        self.screen = screen
        controller.loadViewIfNeeded()
        if !hasEnded { prepare() }
        // Who has ended the request already is not shown any more.
        if !hasEnded { controller.appear() }
        if !hasEnded {
            controller.onInterfaceChange = { [weak screen] in screen?.interfaceDidChange() }
            screen.interfaceDidChange()
        }
        return await ending.wait()
    }

    /// Tells the controller what the user did, after this has returned: what follows may take its time.
    func act(_ act: InterfaceAct) throws(WireError) {
        guard !hasEnded, let screen else { throw .endedRequest }
        _ = try screen.response(to: act)
        Task {
            // Asked again: what came between may have taken the element away, or ended the request.
            guard !self.hasEnded, let response = try? screen.response(to: act) else { return }
            screen.take(act.fields ?? [])
            response()
        }
    }

    /// Ends the request because nobody waits any more: a controller that has a say in its end is told first.
    func cancel() {
        if !hasEnded { (controller as? ASAccountAuthenticationModificationViewController)?.cancelRequest() }
        close()
    }

    /// Ends the request, if it has not ended, and takes its interface off the screen.
    func close() {
        ending.finish(.failure(.providerAnswer(.userCanceled)))
        controller.onInterfaceChange = nil
        screen?.stop()
        controller.disappear()
    }

    /// A view that holds nothing to be seen is not an interface, so that touching `view` does no harm.
    private func refuseInterface() {
        guard !hasEnded else { return }
        let isEmpty = controller.viewIfLoaded.map { InterfaceBuilder($0).elements.isEmpty } ?? true
        guard !isEmpty || controller.presentedViewController != nil else { return }
        ending.finish(
            .failure(
                .providerFailed(
                    "It tried to show an interface where none may be shown: cancel with userInteractionRequired first."
                )
            )
        )
    }
}

extension WireError {
    /// What is said about an act that comes after the end of its request.
    static var endedRequest: WireError { WireError(.expired, "This request can no longer show an interface.") }
}
