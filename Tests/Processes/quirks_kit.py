# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A set of quirks that is right, and a site that serves it."""

import json

from tls_sites import Site, answer

HOST = "quirks.example"
LIST = "public_suffix_list.dat"


def suffix_list(version="2026-08-19_07-02-11_UTC", more=()):
    """A public suffix list that is whole, from made-up rules."""
    known = ["com", "org", "net", "edu", "gov", "de", "fr", "jp", "uk", "co.uk", "com.au", "co.jp", "*.ck", "!www.ck"]
    lines = [f"// VERSION: {version}", "// COMMIT: " + "0123456789abcdef0123456789abcdef01234567", ""]
    lines += ["// ===BEGIN ICANN DOMAINS===", *known, *(f"r{n}" for n in range(5_000)), "// ===END ICANN DOMAINS==="]
    lines += ["// ===BEGIN PRIVATE DOMAINS===", "github.io", *more, *(f"p{n}.example" for n in range(1_000))]
    return "\n".join([*lines, "// ===END PRIVATE DOMAINS===", ""]).encode()


def good_set(**changes):
    """Every file by its name; a change replaces one, by the part of its name before the first hyphen or dot."""
    files = {
        "shared-credentials.json": [
            {"shared": ["one.example", "two.example"]},
            {"from": ["old.example"], "to": ["new.example"], "fromDomainsAreObsoleted": True},
        ],
        "shared-credentials-historical.json": [{"shared": ["a.example", "b.example"]}],
        "apple-appIDs-to-domains-shared-credentials.json": {"ABCDE12345.com.example.app": ["one.example"]},
        "websites-that-ask-for-credentials-for-other-services-when-embedded-as-third-party.json": ["ask.example"],
        "password-rules.json": {"one.example": {"password-rules": "minlength: 8; required: digit;"}},
        "change-password-URLs.json": {"one.example": "https://one.example/password"},
        "websites-that-append-2fa-to-password.json": ["code.example"],
    }
    made = {name: json.dumps(content, indent=4).encode() for name, content in files.items()}
    made[LIST] = suffix_list()
    for name, content in changes.items():
        made[NAMES[name]] = content
    return made


NAMES = {
    "shared": "shared-credentials.json",
    "rules": "password-rules.json",
    "passwords": "change-password-URLs.json",
    "codes": "websites-that-append-2fa-to-password.json",
    "list": LIST,
}


def pages(files):
    return {f"/quirks/{name}": answer(content) for name, content in files.items()}


def address(host=HOST):
    return f"https://{host}/quirks/"


def configure(installation, site, authority=None, host=HOST, **more):
    """The user's fetch.json: where the host is found, and whom to believe."""
    content = {"resolve": {f"{host}:443": f"127.0.0.1:{site.port}"}, **more}
    if authority:
        content["additionalRoots"] = str(authority.root)
    (installation.config / "fetch.json").write_text(json.dumps(content))


def serve(installation, authority, files=None, **options):
    site = Site(authority.issue(HOST), pages(good_set() if files is None else files), **options)
    configure(installation, site, authority)
    return site


def own_set(installation):
    """What stands on disk, by name; nothing where there is no set."""
    folder = installation.data / "quirks"
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else None
