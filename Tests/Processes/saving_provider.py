#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The sample of Examples/provider-python, taught to save and to make passwords; the program of bundles that `bundle` makes."""

import importlib.machinery
import importlib.util
import os
import plistlib
import secrets
import shutil
import string
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))


def bundle(sample, folder, identifier, name):
    """A copy of the sample that saves."""
    shutil.copytree(sample, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "provider").rename(folder / "sample")
    shutil.copy(__file__, folder / "provider")
    (folder / "provider").chmod(0o755)
    info = plistlib.loads((folder / "Info.plist").read_bytes())
    info.update(CFBundleIdentifier=identifier, CFBundleDisplayName=name)
    capabilities = info["NSExtension"]["NSExtensionAttributes"]["ASCredentialProviderExtensionCapabilities"]
    capabilities.update(SupportsSavePasswordCredentials=True, SupportsGeneratePasswordCredentials=True)
    (folder / "Info.plist").write_bytes(plistlib.dumps(info))
    return folder


def load():
    sys.path.insert(0, HERE)
    loader = importlib.machinery.SourceFileLoader("sample", os.path.join(HERE, "sample"))
    sample = importlib.util.module_from_spec(importlib.util.spec_from_loader("sample", loader))
    loader.exec_module(sample)
    return sample


def serve():
    sample = load()

    class Replace(sample.Screen):
        """Whether a password may take the place of another one."""

        def __init__(self, provider, request, reply, account, password):
            self.account, self.password = account, password
            super().__init__(provider, request, reply)

        def show(self):
            self.draw("Replace", [
                {"kind": "message", "id": "why", "text": f"Replace the password of {self.account['user']}?"},
                {"kind": "button", "id": "yes", "label": "Replace", "style": "default"},
            ])

        def act(self, element, action, row, text, fields):
            if (element, action) == ("yes", "press"):
                self.provider.keep(self.account, self.password)
                self.finish({})

    class Make(sample.Screen):
        """A password that the user looks at before it is used."""

        def show(self):
            self.made = "seen-" + secrets.token_hex(4)
            self.draw("New password", [
                {"kind": "message", "id": "made", "text": self.made},
                {"kind": "button", "id": "use", "label": "Use it", "style": "default"},
                {"kind": "button", "id": "other", "label": "Another one"},
            ])

        def act(self, element, action, row, text, fields):
            if (element, action) == ("other", "press"):
                self.show()
            elif (element, action) == ("use", "press"):
                self.finish({"passwords": [{"kind": "STRONG", "password": sample.secret(self.made)}]})

    class Saver(sample.Provider):
        def __init__(self, connection):
            super().__init__(connection)
            #: Generated passwords that wait to be saved, by their session.
            self.pending = {}
            self.methods.update({
                "provider.savePassword": self.save,
                "provider.prepareSavePassword": self.prepare_save,
                "provider.generatePasswords": self.generate,
                "provider.prepareGeneratePasswords": self.prepare_generate,
            })

        def fill_store(self):
            # The accounts that the sample begins with are none of what is looked for.
            if not os.path.exists(self.vault.path + ".saver"):
                self.vault.accounts.clear()
                self.vault._save()
                open(self.vault.path + ".saver", "w").close()
            super().fill_store()

        def known(self, params):
            host = params["service"]["identifier"].split("://")[-1].split("/")[0]
            for account in self.vault.accounts:
                if (account["service"], account["user"]) == (host, params["user"]):
                    return host, account
            return host, None

        def save(self, params, reply):
            password = params["password"]["secret"]
            host, account = self.known(params)
            if params["event"] == "generatedPasswordFilled":
                self.pending[params["session"]] = (host, password)
            elif account is None:
                self.vault.add(host, params["user"], password)
            elif account["password"] != password and params["event"] == "formDidDisappear":
                raise sample.WireError(sample.INTERACTION_REQUIRED, "The user has to say whether it is to be replaced.")
            else:
                self.keep(account, password)
            if params["event"] != "generatedPasswordFilled":
                self.pending.pop(params["session"], None)
                self.fill_store()
            reply({})

        def keep(self, account, password):
            account["password"] = password
            self.vault._save()

        def prepare_save(self, params, reply):
            host, account = self.known(params)
            self.open[params["request"]] = Replace(self, params["request"], reply, account, params["password"]["secret"])

        def prepare_generate(self, params, reply):
            self.open[params["request"]] = Make(self, params["request"], reply)

        def generate(self, params, reply):
            made = secrets.choice(string.ascii_lowercase) + secrets.choice(string.digits)
            made += "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(10))
            reply({"passwords": [{"kind": "ALPHANUMERIC", "password": sample.secret(made)}]})

    connection = sample.Connection.inherited()
    connection.serve(Saver(connection).answer)
    # At once: what was saved was durable before it was acknowledged.
    os._exit(0)


if __name__ == "__main__":
    serve()
