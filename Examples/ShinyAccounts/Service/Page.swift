// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import NIOCore

/// The service's pages. What comes from outside goes through `escaped`, and no page runs a script but the one that posts a form.
enum Page {
    static func signIn(message: String? = nil) -> String {
        page(
            "Log In to Shiny",
            """
            <form action="/session" method="post">
              \(alert(message))
              <label>Username <input id="user" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
              <label>Password <input id="password" name="password" type="password" autocomplete="current-password" required></label>
              <button>Log In</button>
            </form>
            <p><a href="/account/password">Change Password</a></p>
            """)
    }

    /// Where the password was right and the authenticator's code is wanted too.
    static func secondFactor(user: String, ticket: String, message: String? = nil) -> String {
        page(
            "One More Step",
            """
            <form action="/session/code" method="post">
              \(alert(message))
              <input type="hidden" name="ticket" value="\(escaped(ticket))">
              <label>Code of your authenticator <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
              <button>Verify</button>
            </form>
            <p>\(escaped(user))</p>
            """)
    }

    static func changePassword(rules: String, message: String? = nil) -> String {
        page(
            "Change Your Shiny Password",
            """
            <form action="/account/password" method="post">
              \(alert(message))
              <label>Username <input id="user" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
              <label>Current password <input id="current" name="password" type="password" autocomplete="current-password" required></label>
              <label>Code of your authenticator, if you have one <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code"></label>
              <label>New password <input id="new" name="newPassword" type="password" autocomplete="new-password" passwordrules="\(escaped(rules))" required></label>
              <label>New password, again <input id="again" name="again" type="password" autocomplete="new-password" passwordrules="\(escaped(rules))" required></label>
              <button>Change Password</button>
            </form>
            """)
    }

    static func message(_ text: String) -> String {
        page("Shiny", "<p id=\"message\">\(escaped(text))</p>")
    }

    /// The identity provider asks whether the person agrees.
    static func agreement(client: String, hidden: [(name: String, value: String)]) -> String {
        page(
            "Sign In",
            """
            <p>Do you want to continue to \(escaped(client))?</p>
            <form action="/auth/authorize" method="post">
              \(inputs(hidden))
              <label>E-mail of your account <input id="email" name="email" type="email" autocomplete="off" value="johnny@example.com"></label>
              <button id="continue" name="choice" value="continue">Continue</button>
              <button id="cancel" name="choice" value="cancel">Cancel</button>
            </form>
            """)
    }

    /// A page that posts itself on, as `response_mode=form_post` wants it.
    static func post(to address: String, fields: [(name: String, value: String)]) -> String {
        """
        <!doctype html>
        <meta charset="utf-8">
        <title>One moment</title>
        <form id="form" method="post" action="\(escaped(address))">
        \(inputs(fields))
        <noscript><button>Continue</button></noscript>
        </form>
        <script>document.getElementById('form').submit();</script>
        """
    }

    static func answer(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    static func form<Value: Decodable>(_ type: Value.Type, _ request: Request) async -> Value? {
        guard let body = try? await request.body.collect(upTo: 65_536) else { return nil }
        return try? URLEncodedFormDecoder().decode(type, from: String(buffer: body))
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    private static func inputs(_ fields: [(name: String, value: String)]) -> String {
        fields.map { #"<input type="hidden" name="\#(escaped($0.name))" value="\#(escaped($0.value))">"# }
            .joined(separator: "\n")
    }

    private static func alert(_ message: String?) -> String {
        message.map { #"<p id="message" role="alert">\#(escaped($0))</p>"# } ?? ""
    }

    private static func page(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(title)</title>
        <link rel="icon" href="data:,">
        <style>
          :root { font: 16px/1.4 system-ui, sans-serif; color: #1c1d21 }
          body { margin: 0; min-height: 100vh; display: grid; justify-items: center; align-content: start; background: #eef1fb }
          main { width: 20rem; margin-top: 9vh; padding: 2.4rem; background: #fffffff2; border-radius: 1.4rem; box-shadow: 0 1.2rem 3rem #2a1a4022 }
          h1 { margin: 0 0 1.6rem; font-size: 3rem; letter-spacing: -.04em; text-align: center; color: #7a4cff }
          label { display: block; margin-bottom: 1rem; font-size: .85rem; color: #61646f }
          input { display: block; box-sizing: border-box; width: 100%; margin-top: .3rem; padding: .7rem .8rem; border: 1px solid #d6d8e0; border-radius: .7rem; font: inherit }
          button { width: 100%; margin: .4rem 0; padding: .75rem; border: 0; border-radius: .7rem; font: inherit; font-weight: 600; color: #fff; background: #7a4cff }
          p { text-align: center; font-size: .9rem }
        </style>
        <main>
        <h1>shiny.</h1>
        \(body)
        </main>
        </html>
        """
    }
}
