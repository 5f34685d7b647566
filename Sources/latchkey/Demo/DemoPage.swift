// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The pages that `latchkey demo` serves. They have no script, and name nothing outside of themselves.
enum DemoPage {
    /// The page at each path, one form on each, as on a site.
    static let forms = [
        "/": form(
            "Sign in",
            """
            <label for="user">User name</label> <input id="user" name="user" autocomplete="username">
            <label for="password">Password</label>
            <input id="password" name="password" type="password" autocomplete="current-password">
            """),
        "/sign-up": form(
            "Sign up",
            """
            <label for="user">User name</label> <input id="user" name="user" autocomplete="username">
            <label for="password">New password</label>
            <input id="password" name="password" type="password" autocomplete="new-password" passwordrules="minlength: 16;">
            """),
        "/code": form(
            "Security code",
            """
            <label for="code">Code</label>
            <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code">
            """),
    ]

    /// The answer to each form: a page without fields, as a site shows after a sign-in.
    static let received = page("You are in", "<p>The form was sent, and what was in it is dropped.</p>")

    static let notFound = page("Not here", "")

    private static func form(_ title: String, _ fields: String) -> String {
        page(title, "<form method=\"post\" action=\"/\">\(fields) <button>\(title)</button></form>")
    }

    private static func page(_ title: String, _ body: String) -> String {
        """
        <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>\(title) - Latchkey's page to try</title>
        <meta name="viewport" content="width=device-width">
        <style>:root { color-scheme: light dark; font: 1rem sans-serif } body { max-width: 24rem; margin: 2rem auto }
        label, input { display: block; width: 100%; box-sizing: border-box; font: inherit }
        input { margin: .2rem 0 1rem; padding: .4rem } button { font: inherit }</style>
        <body><nav><a href="/">Sign in</a> · <a href="/sign-up">Sign up</a> · <a href="/code">Code</a></nav>
        <h1>\(title)</h1>\(body)</body></html>
        """
    }
}
