# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The sign-in site of "shiny.", and its association file."""

import json

from observation import RECORDER, SENT_RECORDER
from site_server import Site

ASSOCIATION = json.dumps({"webcredentials": {"apps": ["A1B2C3D4E5.com.example.shiny"]}})

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log In to Shiny</title>
<link rel="icon" href="data:,">
<style>
  :root { font: 16px/1.4 system-ui, sans-serif; color: #1c1d21 }
  body { margin: 0; min-height: 100vh; display: grid; justify-items: center; align-content: start;
    background: radial-gradient(60rem 30rem at 50% -6rem, #ffd9a8, #ffe9f1 45%, #eef1fb) }
  main { width: 20rem; margin-top: 9vh; padding: 2.4rem 2.4rem 2rem; background: #fffffff2; border-radius: 1.4rem; box-shadow: 0 1.2rem 3rem #2a1a4022 }
  h1 { margin: 0 0 1.6rem; font-size: 3rem; letter-spacing: -.04em; text-align: center;
    background: linear-gradient(90deg, #ff8a3c, #ff3c88 60%, #7a4cff); background-clip: text; color: transparent }
  label { display: block; margin-bottom: 1rem; font-size: .85rem; color: #61646f }
  input { display: block; box-sizing: border-box; width: 100%; margin-top: .3rem; padding: .7rem .8rem; border: 1px solid #d6d8e0; border-radius: .7rem; font: inherit; font-size: 1rem; color: inherit; background: #fff }
  input:focus { outline: 3px solid #7a4cff44; border-color: #7a4cff }
  button { width: 100%; margin: .6rem 0 1.4rem; padding: .75rem; border: 0; border-radius: .7rem; font: inherit; font-weight: 600; color: #fff; background: linear-gradient(90deg, #ff5a63, #7a4cff) }
  p { margin: .4rem 0; text-align: center; font-size: .9rem }
  a { color: #6a3ff0; text-decoration: none }
</style>
RECORDER
<main>
  <h1>shiny.</h1>
  <form action="/session" method="post">
    <label>Username <input id="user" name="username" autocomplete="username" autocapitalize="none" spellcheck="false"></label>
    <label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>
    <button>Log In</button>
  </form>
  <p><a href="/forgot">Forgot Password?</a></p>
  <p><a href="/create">Create a Shiny Account</a></p>
</main>
</html>
"""


#: The form is gone once it was sent off, as in a page that signs in without leaving.
GOING = """document.addEventListener('submit', (event) => { event.preventDefault(); setTimeout(() => document.querySelector('main').replaceChildren('Welcome'), 50) });"""


def serve(site: Site, hosts: list[str]) -> None:
    """Serves the page on each host: as it is at /login, and with a script that records what it can see at /observed."""
    for host in hosts:
        site.page("/login", PAGE.replace("RECORDER\n", ""), host=host)
        site.page("/observed", PAGE.replace("RECORDER", f"<script>{RECORDER}</script>"), host=host)
        site.page("/sent", PAGE.replace("RECORDER", f"<script>{SENT_RECORDER}{GOING}</script>"), host=host)
        site.page("/.well-known/apple-app-site-association", ASSOCIATION, host=host, kind="application/json")
