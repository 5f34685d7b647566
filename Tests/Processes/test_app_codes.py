# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A native program asks for a security code by the wire: the real daemon, a terminal of its own, and a site that names it, or not."""

import os
import shutil
import subprocess

import pytest

from test_apps import HOST, IDENTIFIER, Terminal, World, needs_root

# What the wire asks of a program: frames, one request, and starting the renderer that the daemon names.
APP = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int wire;

static void say(const char *text) {
    unsigned length = strlen(text);
    if (write(wire, &length, 4) != 4 || write(wire, text, length) != (long)length) exit(2);
}

static char *hear(void) {
    unsigned length = 0, done = 0;
    if (recv(wire, &length, 4, MSG_WAITALL) != 4 || length > 1 << 20) exit(3);
    char *text = calloc(1, length + 1);
    while (done < length) {
        long count = read(wire, text + done, length - done);
        if (count <= 0) exit(4);
        done += count;
    }
    return text;
}

/* The text of a member, in which nothing is escaped but slashes. */
static char *member(const char *text, const char *name) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s\":\"", name);
    const char *start = strstr(text, wanted);
    if (!start) exit(5);
    char *value = calloc(1, strlen(text)), *end = value;
    for (start += strlen(wanted); *start && *start != '"'; start++)
        if (*start != '\\') *end++ = *start;
    return value;
}

int main(int count, char **arguments) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
    wire = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(wire, (struct sockaddr *)&address, sizeof address)) return 6;
    say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1,\"client\":{\"name\":\"shiny\",\"version\":\"1\"}}}");
    hear();
    say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"authorization.request\","
        "\"params\":{\"types\":[\"one-time-code\"],\"surfaces\":[\"terminal\"]}}");
    for (;;) {
        char *heard = hear();
        if (!strstr(heard, "authorization.present")) {
            printf("ANSWER %s\n", heard);
            return 0;
        }
        char *program = member(heard, "program"), *ticket = member(heard, "ticket");
        if (!fork()) {
            setenv("LATCHKEY_TICKET", ticket, 1);
            execl(program, program, "choose", "--for-app", NULL);
            _exit(7);
        }
        char answer[128];
        snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}", atoi(strstr(heard, "\"id\":") + 5));
        say(answer);
    }
}
"""


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    try:
        source = tmp_path / "app.c"
        source.write_text(APP)
        subprocess.run(["cc", "-O1", "-o", tmp_path / "app", source], check=True)
        yield made
    finally:
        made.close()


def ask(world, *messages):
    """The app of root's, asking, after messages came."""
    program = world.root_program()
    shutil.copy(world.folder / "app", program)
    for message in messages:
        world.installation.latchkey("code", "offer", input=message.encode())
    terminal = Terminal(world.installation, program, arguments=[world.installation.socket])
    world.terminals.append(terminal)
    return program, terminal


@needs_root
def test_s32_an_app_gets_the_code_for_its_domain_and_no_other(world):
    """S32, S33: the code for its domain; what is bound to nothing is marked; what is for others is not there. It is used then."""
    program, terminal = ask(
        world, "Your login code is 551234", f"Your code is 482193.\n\n@{HOST} #482193", "@bank.example #661122", "@example.com #771122")
    shown = terminal.wait("(?s)not bound to a site.*?> ")
    assert "asks for a code" in shown and HOST in shown and "not bound to a site" in shown
    assert "A code for bank.example has come too" in shown.replace("\r\n", " ")
    assert not any(code in shown for code in ("482193", "551234", "661122", "771122"))
    assert shown.rindex(HOST) < shown.index("not bound")
    terminal.type("1")
    answer = terminal.wait("ANSWER .*\n")
    assert '"code":{"secret":"482193"}' in answer and '"type":"one-time-code"' in answer and "password" not in answer
    line = world.releases()[-1]
    assert line["requester"] == f"{IDENTIFIER} at {program}"
    assert (line["service"], line["act"], line["provider"]) == (HOST, "terminal", "org.latchkey.codes")
    assert "482193" not in world.installation.output()
    done = world.installation.latchkey("code", "offer", input=f"@{HOST} #482193".encode(), check=False)
    assert done.returncode == 6


@needs_root
def test_s32_an_app_that_its_site_does_not_name_gets_no_code(world):
    """S32: neither the code for the domain that it states, nor one that is bound to nothing; it learns nothing of either."""
    world.site.apps = ["E5336VM85F.com.example.Other"]
    _, terminal = ask(world, "Your login code is 551234", f"@{HOST} #482193")
    shown = terminal.wait("has not confirmed this app")
    assert "551234" not in shown and "482193" not in shown
    terminal.wait("q cancels")
    terminal.type("q")
    answer = terminal.wait("ANSWER .*\n")
    assert '"error":{"code":9,"message":"The request was canceled."}' in answer
    assert world.releases() == []


@needs_root
def test_s32_a_code_that_comes_while_the_app_asks_appears_and_what_is_for_others_does_not(world):
    """S32: the person waits before an empty list; only what is for the app is drawn, and the app gets what is chosen then."""
    _, terminal = ask(world)
    terminal.wait("No code for this app has arrived")
    terminal.wait("> ")
    for message in ("@bank.example #661122", f"Your code is 482193.\n\n@{HOST} #482193"):
        world.installation.latchkey("code", "offer", input=message.encode())
    shown = terminal.wait(f"(?s)1  .*?{HOST}.*?> ")
    assert "bank.example" not in shown and "No code for this app" not in shown
    assert not any(code in shown for code in ("482193", "661122"))
    terminal.type("1")
    answer = terminal.wait("ANSWER .*\n")
    assert '"code":{"secret":"482193"}' in answer
    assert world.releases()[-1]["service"] == HOST


@needs_root
def test_s33_what_was_typed_before_a_code_came_chooses_nothing(world):
    """S33, S5: half a line is about what stood there; the number may be another row's by now."""
    _, terminal = ask(world, "Your login code is 551234")
    terminal.wait("(?s)not bound to a site.*?> ")
    os.write(terminal.descriptor, b"1")
    world.installation.latchkey("code", "offer", input=f"@{HOST} #482193".encode())
    terminal.wait(f"(?s)1  .*?{HOST}.*?2  .*?not bound to a site.*?> ")
    terminal.type("")
    terminal.wait("> ")
    assert world.releases() == []
    terminal.type("2")
    answer = terminal.wait("ANSWER .*\n")
    assert '"code":{"secret":"551234"}' in answer
