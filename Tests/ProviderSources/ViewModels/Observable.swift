// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a screen is bound to.
final class Observable<Value> {
    private var observers: [UUID: (Value) -> Void] = [:]

    var value: Value {
        didSet { for observer in observers.values { observer(value) } }
    }

    init(_ value: Value) {
        self.value = value
    }

    @discardableResult
    func bind(_ observer: @escaping (Value) -> Void) -> () -> Void {
        let token = UUID()
        observers[token] = observer
        observer(value)
        return { [weak self] in self?.observers[token] = nil }
    }
}

enum LoadingState<Content> {
    case idle
    case loading
    case loaded(Content)
    case failed(Error)
}

@MainActor
protocol ViewModel: AnyObject {
    associatedtype State
    var state: Observable<State> { get }
    func load() async
}
