// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

enum Route: Equatable {
    case loading
    case locked(reason: String?)
    case accounts(hosts: [String])
    case generator
}

@MainActor
protocol Routing: AnyObject {
    associatedtype Destination
    func go(to destination: Destination)
}

protocol RouteControllerFactory {
    @MainActor func controller(for route: Route, actions: Actions) -> UIViewController
}

/// What screens can have done.
struct Actions {
    var select: (TeamAccount) -> Void
    var unlock: (String) -> Void
    var use: (String) -> Void
    var cancel: () -> Void
}

/// What all extensions of this team have in common.
class StateMachineViewController<State: Equatable>: ASCredentialProviderViewController {
    private(set) var state: State?

    func enter(_ state: State) {
        guard self.state != state else { return }
        let previous = self.state
        self.state = state
        didChange(from: previous, to: state)
    }

    func didChange(from previous: State?, to state: State) {}

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        for child in children { child.view.frame = view.bounds }
    }
}
