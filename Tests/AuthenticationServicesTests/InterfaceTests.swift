// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AuthenticationServices

@MainActor
@Suite
struct InterfaceTests {
    @Test
    func childrenFindTheContextOfTheirParents() {
        let principal = ASCredentialProviderViewController()
        let context = ASCredentialProviderExtensionContext(ending: RequestEnding())
        principal.beginRequest(with: context)
        let (child, grandchild, presented, stranger) = (
            UIViewController(), UIViewController(), UIViewController(), UIViewController()
        )
        principal.addChild(child)
        child.addChild(grandchild)
        principal.present(UINavigationController(rootViewController: presented), animated: false)
        #expect(child.extensionContext === context)
        #expect(grandchild.extensionContext === context)
        #expect(presented.extensionContext === context)
        #expect(stranger.extensionContext == nil)
        grandchild.removeFromParent()
        #expect(grandchild.extensionContext == nil)
    }

    @Test
    func controllersThatHoldEachOtherDoNotGoRoundInCircles() {
        let (outer, inner, innermost) = (UIViewController(), UIViewController(), UIViewController())
        outer.addChild(inner)
        inner.addChild(innermost)
        innermost.addChild(outer)
        inner.addChild(inner)
        #expect(outer.parent == nil)
        #expect(innermost.children.isEmpty)
        inner.present(outer, animated: false)
        #expect(innermost.extensionContext == nil)
        #expect(innermost.navigationController == nil)
    }

    @Test
    func showsInTheStackOrOverEverything() {
        let (first, second, alone) = (UIViewController(), UIViewController(), UIViewController())
        let stack = UINavigationController(rootViewController: first)
        first.show(second, sender: nil)
        #expect(stack.viewControllers == [first, second])
        alone.show(UIViewController(), sender: nil)
        #expect(alone.presentedViewController != nil)
        #expect(second.view.isDescendant(of: second.view))
        #expect(!first.view.isDescendant(of: second.view))
    }

    /// The renderer decides where the user begins: nobody is told that it was done.
    @Test
    func nothingIsTypedInto() {
        let field = UITextField()
        #expect(!field.becomeFirstResponder() && !field.isFirstResponder && !field.canBecomeFirstResponder)
        field.text = "x"
        #expect(field.endEditing(true) && field.resignFirstResponder())
        #expect(field.text == "x")
        field.returnKeyType = .go
        field.autocapitalizationType = .none
        #expect(field.returnKeyType == .go && field.autocapitalizationType == .none)
    }

    @Test
    func stacksShowTheirLast() {
        let (first, second, third) = (UIViewController(), UIViewController(), UIViewController())
        let stack = UINavigationController(rootViewController: first)
        #expect(stack.view.subviews == [first.view])
        stack.pushViewController(second, animated: true)
        first.navigationController?.pushViewController(third, animated: true)
        #expect(stack.view.subviews == [third.view])
        #expect(stack.visibleViewController === third)
        #expect(stack.popViewController(animated: true) === third)
        #expect(stack.view.subviews == [second.view])
        #expect(third.navigationController == nil)
        #expect(stack.popToRootViewController(animated: false) == [second])
        #expect(stack.viewControllers == [first])
    }

    @Test
    func stacksRefuseWhatCannotBe() {
        let first = UIViewController()
        let stack = UINavigationController(rootViewController: first)
        #expect(stack.popViewController(animated: false) == nil)
        #expect(stack.popToRootViewController(animated: false) == [])
        stack.pushViewController(first, animated: false)
        stack.pushViewController(stack, animated: false)
        #expect(stack.viewControllers == [first])
        stack.viewControllers = []
        #expect(stack.topViewController == nil)
        #expect(stack.view.subviews.isEmpty)
        #expect(stack.popViewController(animated: false) == nil)
    }

    @Test
    func stacksKeepTheOrderTheyAreGiven() {
        let (first, second) = (UIViewController(), UIViewController())
        let stack = UINavigationController(nibName: nil, bundle: nil)
        stack.setViewControllers([first, second], animated: false)
        stack.setViewControllers([second, first], animated: false)
        #expect(stack.viewControllers == [second, first])
        #expect(stack.view.subviews == [first.view])
    }

    @Test
    func rectanglesAreKept() {
        let view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(view.bounds == CGRect(x: 0, y: 0, width: 3, height: 4))
        view.bounds = CGRect(x: 9, y: 9, width: 5, height: 6)
        #expect(view.frame == CGRect(x: 1, y: 2, width: 5, height: 6))
    }

    @Test(
        arguments: [
            ("https://a.example", "https://a.example", nil),
            ("HTTP://a.example:8080/x/y?q#f", "http://a.example:8080/x/y", 8080),
            ("https://user:pw@a.example/", "https://a.example/", nil),
        ] as [(String, String, Int?)]
    )
    func scopesAreThePartsOfAURL(text: String, url: String, port: Int?) throws {
        let address = try #require(URL(string: text))
        let scope = try #require(ASAutoFillURLScope(url: address))
        #expect(scope.url?.absoluteString == url)
        #expect(scope.port == port)
        let read = try JSONDecoder().decode(ASAutoFillURLScope.self, from: JSONEncoder().encode(scope))
        #expect(read == scope)
    }

    @Test(arguments: [
        "ftp://a.example", "file:///etc/passwd", "https:///path", "a.example", "data:,x", "https:a.example",
    ])
    func otherURLsAreNoScopes(text: String) throws {
        let address = try #require(URL(string: text))
        #expect(ASAutoFillURLScope(url: address) == nil)
    }

    @Test(
        arguments: [
            ("", nil, "/"), ("a.example", 70000, "/"), ("a.example", -1, "/"), ("a.example", nil, "no/slash"),
        ] as [(String, Int?, String)]
    )
    func scopesThatAreNoURLSaySo(host: String, port: Int?, path: String) {
        #expect(ASAutoFillURLScope(scheme: .https, host: host, port: port, path: path).url == nil)
    }
}
