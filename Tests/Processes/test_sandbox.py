# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What is around a provider's sandbox: the way to the network (latchkey-net), system calls, keyrings."""

import ctypes
import json
import os
import pathlib
import platform
import signal
import socket
import subprocess
import sys
import threading

import pytest

from installation import BINARIES, Installation, until
from providers import NETWORK, READ_ONLY, SOCKETS, Bundle, processes, taken
from tls_sites import Proxy

HOSTS = "org.latchkey.security.network.hosts"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"


def isolated_here(client):
    isolation = client.call("status")["isolation"]
    if not isolation["available"]:
        pytest.skip(f"no isolation here: {isolation.get('reason')}")


@pytest.fixture
def isolated(running, client):
    isolated_here(client)


class Listener:
    """A server on every address of this computer; counts who came."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET6)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self.socket.bind(("::", 0))
        self.socket.listen(64)
        self.port = self.socket.getsockname()[1]
        self.heads = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(20)
                self.heads.append(connection.recv(65_536))
                connection.sendall(ANSWER)

    def answers_here(self):
        """Proves that it can be reached from outside of every sandbox, on each of its addresses."""
        before = len(self.heads)
        for host in ["127.0.0.1", "::1"]:
            with socket.create_connection((host, self.port), 20) as connection:
                connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
                assert connection.recv(100).startswith(b"HTTP/1.1 200")
        return len(self.heads) == before + 2

    def close(self):
        self.socket.close()


@pytest.fixture
def listener():
    made = Listener()
    yield made
    made.close()


#: Runs in the provider: what the proxy says to a CONNECT, and then the server.
ASK = """
import urllib.parse
def ask(target):
    place = urllib.parse.urlsplit(os.environ["https_proxy"])
    with socket.create_connection((place.hostname, place.port), 30) as connection:
        connection.sendall(f"CONNECT {target} HTTP/1.1\\r\\nHost: {target}\\r\\n\\r\\n".encode())
        status = connection.recv(65536).split(b" ", 2)[1].decode()
        if status != "200": return status
        connection.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
        answer = b""
        while part := connection.recv(65536): answer += part
        return answer.split(b"\\r\\n\\r\\n")[-1].decode()
"""


def asked(hand, target):
    return hand.run(ASK + f"value = ask({target!r})")


def own_addresses():
    """Addresses of this computer's interfaces, loopback left out, as a URL has them."""
    found = []
    for family, probe in [(socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")]:
        with socket.socket(family, socket.SOCK_DGRAM) as one:
            try:
                one.connect((probe, 9))
                address = one.getsockname()[0]
                found.append(f"[{address}]" if ":" in address else address)
            except OSError:
                continue
    return found


def spellings():
    name = socket.gethostname()
    return [
        "127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
        "017700000001", "0", "0.0.0.0", "localhost", "localhost.", "LOCALHOST", "ip6-localhost", name, f"{name}.", "[::1]",
        "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]", "169.254.169.254", "[fe80::1]", "[fd00::1]", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1",
        "224.0.0.1", "255.255.255.255", *own_addresses(), *(f"[::ffff:{a}]" for a in own_addresses() if "." in a),
    ]


def test_S39_the_internet_that_is_granted_is_nothing_of_this_computer(running, client, isolated, listener):
    assert listener.answers_here()
    hand = taken(Bundle(running, entitlements={NETWORK: True}), client)
    came = len(listener.heads)
    assert len(spellings()) > 30 and own_addresses()
    for host in spellings():
        # 400: written in a way that no resolver takes for an address.
        assert asked(hand, f"{host}:{listener.port}") in ("403", "400"), host
    # Past the proxy there is nothing at all.
    for host in ["127.0.0.1", "::1", *(a.strip("[]") for a in own_addresses())]:
        answer = hand.run(f"socket.create_connection(({host!r}, {listener.port}), 10)")
        assert answer["raised"] in ("ConnectionRefusedError", "OSError"), host
    assert hand.run("value = [name for _, name in socket.if_nameindex()]") == ["lo"]
    assert len(listener.heads) == came


def test_S39_plain_http_goes_the_same_way(running, client, isolated, listener):
    bundle = Bundle(running, entitlements={HOSTS: [f"127.0.0.1:{listener.port}"]})
    hand = taken(bundle, client)
    code = "import urllib.request, urllib.error\n"
    said = hand.run(code + f"value = urllib.request.urlopen('http://127.0.0.1:{listener.port}/x?y').read().decode()")
    assert said == "hello"
    head = listener.heads[-1]
    assert head.startswith(b"GET /x?y HTTP/1.1\r\n") and b"Proxy" not in head and b"Connection: close" in head
    answer = hand.run(code + f"urllib.request.urlopen('http://localhost:{listener.port}/')")
    assert answer == {"raised": "HTTPError"}
    assert len(listener.heads) == 1


def test_S39_a_host_that_is_granted_by_name_is_reached_and_no_other(running, client, isolated, listener):
    bundle = Bundle(running, entitlements={HOSTS: [f"localhost:{listener.port}"]})
    statement = bundle.statement(client)
    assert statement["grants"]["hosts"] == [f"localhost:{listener.port}"] and statement["grants"]["network"] is False
    shown = running.latchkey("providers", "info", bundle.identifier).stdout.decode()
    assert f"It can connect to localhost:{listener.port}, even if it is on this computer or your network." in shown
    hand = taken(bundle, client)
    assert asked(hand, f"localhost:{listener.port}") == "hello"
    came = len(listener.heads)
    for target in [
        f"127.0.0.1:{listener.port}", f"localhost:{listener.port + 1}", f"x.localhost:{listener.port}", "shiny.example.com:443",
        f"[::1]:{listener.port}", "1.1.1.1:443",
    ]:
        assert asked(hand, target) == "403", target
    assert len(listener.heads) == came


def test_S39_where_the_users_file_says_a_host_is(running, client, isolated, listener):
    place = {"resolve": {"shiny.example.com:443": f"127.0.0.1:{listener.port}"}}
    (running.config / "fetch.json").write_text(json.dumps(place))
    hand = taken(Bundle(running, entitlements={NETWORK: True}), client)
    assert asked(hand, "shiny.example.com:443") == "hello"
    for target in ["shiny.example.com:80", "www.shiny.example.com:443", f"127.0.0.1:{listener.port}"]:
        assert asked(hand, target) == "403", target


def test_S39_the_proxy_is_that_of_the_users_file(installation, listener):
    """The daemon's environment names none."""
    with Proxy({"shiny.example.com:443": listener.port}) as named, Proxy({}) as proxy:
        installation.environment |= {name: f"http://127.0.0.1:{proxy.port}" for name in ["https_proxy", "HTTPS_PROXY", "all_proxy"]}
        client = installation.start().unlocked()
        isolated_here(client)
        hand = taken(Bundle(installation, entitlements={NETWORK: True}), client)
        assert asked(hand, "shiny.example.com:443") == "403"
        assert proxy.requests == []
        (installation.config / "fetch.json").write_text(json.dumps({"proxy": f"http://127.0.0.1:{named.port}"}))
        other = taken(Bundle(installation, "com.example.other", entitlements={NETWORK: True}), client)
        assert asked(other, "shiny.example.com:443") == "hello"
        for target in ["localhost:80", "127.0.0.1:443", "[::1]:443"]:
            assert asked(other, target) == "403", target
        assert named.requests == ["CONNECT shiny.example.com:443 HTTP/1.1"] and proxy.requests == []
        # What cannot be read may have named one.
        (installation.config / "fetch.json").write_text('{"proxy": "socks5://127.0.0.1:1"}')
        third = taken(Bundle(installation, "com.example.third", entitlements={NETWORK: True}), client)
        for target in ["shiny.example.com:443", "1.1.1.1:443"]:
            assert asked(third, target) == "403", target
        assert len(named.requests) == 1


def test_S39_without_the_grant_there_is_no_way_out(running, client, isolated, listener):
    (running.config / "fetch.json").write_text(json.dumps({"resolve": {"shiny.example.com:443": f"127.0.0.1:{listener.port}"}}))
    hand = taken(Bundle(running), client)
    assert hand.run("value = [name for name in os.environ if 'proxy' in name.lower()]") == []
    assert ways_out(running) == []
    for host in ["127.0.0.1", "::1", *(a.strip("[]") for a in own_addresses())]:
        answer = hand.run(f"socket.create_connection(({host!r}, {listener.port}), 10)")
        assert answer["raised"] in ("ConnectionRefusedError", "OSError"), host
    assert listener.heads == []


@pytest.mark.parametrize(
    "asks", ["localhost", "localhost:0", "localhost:65536", "a b:1", "http://localhost:80", "*:80", "localhost:80/x", "u@localhost:80"])
def test_S39_a_host_that_cannot_be_shown_cannot_be_asked_for(running, client, asks):
    bundle = Bundle(running, entitlements={HOSTS: [asks]})
    statement = bundle.statement(client)
    assert statement["state"] == "broken" and "NAME:PORT" in statement["problem"]
    assert bundle.processes() == []


@pytest.mark.parametrize("grants, raised", [
    ({}, "OSError"), ({NETWORK: True}, "OSError"),
    # With sockets of its own it has the call, and another network's names.
    ({SOCKETS: ["~/absent"], NETWORK: True}, "ConnectionRefusedError"),
])
def test_S39_abstract_sockets_of_this_computer_are_out_of_reach(running, client, isolated, grants, raised):
    """As the X server has one, by which every key that is typed can be read."""
    name = b"\0latchkey-test-" + str(os.getpid()).encode()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        server.setblocking(False)
        with socket.socket(socket.AF_UNIX) as proof:
            proof.connect(name)
            server.accept()[0].close()
        hand = taken(Bundle(running, entitlements=grants), client)
        assert hand.run(f"socket.socket(socket.AF_UNIX).connect({name!r})") == {"raised": raised}
        with pytest.raises(BlockingIOError):
            server.accept()


# latchkey-net


def ways_out(installation):
    """The processes of latchkey-net below the daemon."""
    found = []
    for process in processes("latchkey-net"):
        try:
            if os.readlink(f"/proc/{process}/exe").endswith("/latchkey-net") and is_below(process, installation.daemon.pid):
                found.append(process)
        except OSError:
            continue
    return found


def is_below(process, ancestor):
    while process > 1:
        fields = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines() if ":\t" in line)
        process = int(fields["PPid"])
        if process == ancestor:
            return True
    return False


def test_S39_the_way_out_is_a_process_of_its_own_and_ends_with_the_provider(running, client, isolated):
    bundle = Bundle(running, entitlements={NETWORK: True})
    hand = taken(bundle, client)
    [process] = until(lambda: ways_out(running))
    fields = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines() if ":\t" in line)
    assert fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2" and int(fields["CapEff"], 16) == 0
    if os.geteuid() == 0:
        root = pathlib.Path(f"/proc/{process}/root")
        for path in [running.folder, running.runtime, "/etc/shadow", "/run/user", "/home"]:
            assert not (root / str(path)[1:]).exists(), path
        for space in ["pid", "ipc", "uts", "mnt", "user"]:
            assert os.readlink(f"/proc/{process}/ns/{space}") != os.readlink(f"/proc/self/ns/{space}")
        # It is where the network is, and the provider is not.
        assert os.readlink(f"/proc/{process}/ns/net") == os.readlink("/proc/self/ns/net")
        assert os.readlink(f"/proc/{bundle.program}/ns/net") != os.readlink("/proc/self/ns/net")
    client.call("lock")
    hand.gone()
    until(lambda: not os.path.exists(f"/proc/{process}"))


@pytest.mark.parametrize("how", ["provider", "daemon", "disable"])
def test_S39_no_way_out_is_left_over(running, client, isolated, how):
    bundle = Bundle(running, entitlements={NETWORK: True})
    hand = taken(bundle, client)
    [process] = until(lambda: ways_out(running))
    if how == "provider":
        bundle.kill(client)
    elif how == "daemon":
        running.kill()
    else:
        client.call("providers.disable", identifier=bundle.identifier)
    hand.gone()
    until(lambda: not os.path.exists(f"/proc/{process}"))


def test_S39_each_provider_has_a_way_out_of_its_own(running, client, isolated, listener):
    first = taken(Bundle(running, entitlements={HOSTS: [f"localhost:{listener.port}"]}), client)
    second = taken(Bundle(running, "com.example.other", entitlements={NETWORK: True}), client)
    assert len(until(lambda: len(ways_out(running)) == 2 and ways_out(running))) == 2
    assert asked(first, f"localhost:{listener.port}") == "hello"
    assert asked(second, f"localhost:{listener.port}") == "403"
    # Not by the other one's port either: each listens in a network of its own.
    port = first.run("value = int(os.environ['https_proxy'].rsplit(':', 1)[1])")
    own = second.run("value = int(os.environ['https_proxy'].rsplit(':', 1)[1])")
    if port != own:
        assert second.run(f"socket.create_connection(('127.0.0.1', {port}), 10)") == {"raised": "ConnectionRefusedError"}


@pytest.mark.parametrize(
    "head, status",
    [
        (b"CONNECT localhost HTTP/1.1\r\n\r\n", "400"), (b"\x16\x03\x01\r\n\r\n", "400"), (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "501"),
        (b"GET https://localhost/ HTTP/1.1\r\n\r\n", "501"), (b"A" * 40_000, ""), (b"CONNECT a:1 HTTP/1.1\r\n" + b"A: b\r\n" * 9_000, ""),
    ],
    ids=range(6),
)
def test_S39_what_is_no_request_is_refused(running, client, isolated, head, status):
    hand = taken(Bundle(running, entitlements={NETWORK: True}), client)
    said = hand.run(f"""
import urllib.parse
place = urllib.parse.urlsplit(os.environ["https_proxy"])
with socket.create_connection((place.hostname, place.port), 30) as connection:
    answer = b""
    try:
        connection.sendall({head!r})
        while part := connection.recv(65536): answer += part
    except ConnectionError: pass
    value = answer.split(b" ", 2)[1].decode() if answer else ""
""")
    assert said == status
    assert asked(hand, "127.0.0.1:1") == "403"


@pytest.mark.long
def test_S39_silent_connections_do_not_stop_the_way_out_for_good(running, client, isolated, listener):
    hand = taken(Bundle(running, entitlements={HOSTS: [f"localhost:{listener.port}"]}), client)
    hand.run("""
import urllib.parse
place = urllib.parse.urlsplit(os.environ["https_proxy"])
provider.held_open = [socket.create_connection((place.hostname, place.port), 30) for _ in range(80)]
""")
    # They are as many as may be, and a head has ten seconds.
    assert asked(hand, f"localhost:{listener.port}") == "hello"
    [process] = ways_out(running)
    assert len(os.listdir(f"/proc/{process}/task")) <= 50


# System calls

CALL = """
import ctypes, errno
library = ctypes.CDLL(None, use_errno=True)
def call(*numbers):
    result = library.syscall(*[ctypes.c_ulong(n) for n in numbers])
    return errno.errorcode[ctypes.get_errno()] if result < 0 else "done"
"""
HERE = {}
exec(CALL, HERE)
NEW_USER, SIGCHLD, HIGH = 0x10000000, 17, 1 << 32
#: By name: the numbers of x86-64 and of AArch64, arguments, what a provider is answered.
CALLS = {
    "keyctl": (250, 219, (1, 0), "EPERM"),
    "add_key": (248, 217, (0, 0, 0, 0, 0), "EPERM"),
    "request_key": (249, 218, (0, 0, 0, 0), "EPERM"),
    "io_uring_setup": (425, 425, (1, 0), "ENOSYS"),
    "io_uring_enter": (426, 426, (999, 0, 0, 0, 0, 0), "ENOSYS"),
    "io_uring_register": (427, 427, (999, 0, 0, 0), "ENOSYS"),
    "ptrace": (101, 117, (16, 999_999_999, 0, 0), "EPERM"),
    "process_vm_readv": (310, 270, (999_999_999, 0, 0, 0, 0, 0), "EPERM"),
    "process_vm_writev": (311, 271, (999_999_999, 0, 0, 0, 0, 0), "EPERM"),
    "pidfd_getfd": (438, 438, (999, 0, 0), "EPERM"),
    "mincore": (27, 232, (0, 0, 0), "EPERM"),
    "fadvise64": (221, 223, (999, 0, 0, 4), "EPERM"),
    "cachestat": (451, 451, (999, 0, 0, 0), "ENOSYS"),
    "preadv2 that does not wait": (327, 286, (999, 0, 0, 0, 0, 8), "ENOTSUP"),
    "userfaultfd": (323, 282, (0xFFFF,), "EPERM"),
    "bpf": (321, 280, (999, 0, 0), "EPERM"),
    "perf_event_open": (298, 241, (0, 0, 0, 0, 0), "EPERM"),
    "setns": (308, 268, (999, 0), "EPERM"),
    "unshare": (272, 97, (0xFF,), "EPERM"),
    "clone for a user namespace": (56, 220, (NEW_USER | 0x40, 0, 0, 0, 0), "EPERM"),
    "clone with a bit above": (56, 220, (HIGH | NEW_USER | 0x40, 0, 0, 0, 0), "EPERM"),
    "clone3": (435, 435, (0, 0), "ENOSYS"),
    "open_by_handle_at": (304, 265, (999, 0, 0), "EPERM"),
    "fsopen": (430, 430, (0, 0), "ENOSYS"),
    "TIOCSTI": (16, 29, (999, 0x5412, 0), "EPERM"),
    "TIOCSTI with a bit above": (16, 29, (999, HIGH | 0x5412, 0), "EPERM"),
    "TIOCLINUX": (16, 29, (999, 0x541C, 0), "EPERM"),
    "TIOCSETD": (16, 29, (999, 0x5423, 0), "EPERM"),
    "AF_PACKET": (41, 198, (17, 999, 0), "EAFNOSUPPORT"),
    "AF_VSOCK": (41, 198, (40, 999, 0), "EAFNOSUPPORT"),
    "AF_VSOCK with a bit above": (41, 198, (HIGH | 40, 1, 0), "EAFNOSUPPORT"),
    "AF_ALG": (41, 198, (38, 5, 0), "EAFNOSUPPORT"),
    "netlink for the firewall": (41, 198, (16, 3, 12), "EPROTONOSUPPORT"),
    "netlink of any kind": (41, 198, (16, 3, 16), "EPROTONOSUPPORT"),
}


def number(name):
    intel, arm, arguments, answer = CALLS[name]
    machine = platform.machine()
    if machine not in ("x86_64", "aarch64"):
        pytest.skip(f"the calls of {machine} are not known here")
    return (intel if machine == "x86_64" else arm, *arguments), answer


def test_S39_what_no_namespace_covers_the_kernel_refuses(running, client, isolated):
    hand = taken(Bundle(running, entitlements={NETWORK: True}), client)
    differs = []
    for name in CALLS:
        numbers, answer = number(name)
        assert hand.run(CALL + f"value = call(*{numbers!r})") == answer, name
        # The same outside, in a process that may end by it.
        here = subprocess.run(
            ["/usr/bin/python3", "-c", CALL + f"print(call(*{numbers!r}))"], capture_output=True, text=True).stdout.strip()
        if here != answer:
            differs.append(name)
    # On this kernel some of them may be refused to everybody; the test lives by the others.
    assert len(differs) >= 20, differs
    assert {"keyctl", "io_uring_setup", "TIOCSTI", "unshare", "clone3"} <= set(differs)


def test_S39_another_process_cannot_be_traced(running, client, isolated):
    hand = taken(Bundle(running), client)
    if platform.machine() != "x86_64":
        pytest.skip("the number of ptrace is that of x86-64")
    said = hand.run(CALL + """
import signal, subprocess
child = subprocess.Popen(["/usr/bin/sleep", "1000"])
value = [call(101, 16, child.pid, 0, 0), call(101, 0x4206, child.pid, 0, 0)]
child.kill(); child.wait()
""")
    assert said == ["EPERM", "EPERM"]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="32-bit calls are those of x86")
@pytest.mark.parametrize("way", ["int 0x80", "x32"])
def test_S39_calls_of_another_architecture_end_the_process(running, client, isolated, way):
    code = {
        # getpid of i386: mov eax, 20; int 0x80; ret
        "int 0x80": "import mmap; m = mmap.mmap(-1, 4096, prot=7); m.write(bytes.fromhex('b814000000cd80c3')); "
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()",
        "x32": "library.syscall(ctypes.c_ulong(0x40000000 + 39))",
    }[way]
    program = CALL + code
    hand = taken(Bundle(running), client)
    said = hand.run(f"import subprocess; value = subprocess.run(['/usr/bin/python3', '-c', {program!r}]).returncode")
    assert said == -signal.SIGSYS
    assert subprocess.run(["/usr/bin/python3", "-c", program]).returncode != -signal.SIGSYS


# Keyrings


@pytest.fixture
def ticket():
    """A key in a session keyring that this process and what it starts have: its number, and its name."""
    library = HERE["library"]
    if platform.machine() != "x86_64":
        pytest.skip("the numbers of these calls are those of x86-64")
    if library.syscall(250, 1, None) < 0:
        pytest.skip("this kernel has no keyrings, or refuses them here")
    name = f"latchkey-canary-{os.getpid()}"
    key = library.syscall(248, b"user", name.encode(), b"ticket", 6, ctypes.c_long(-3))
    assert key > 0
    return key, name


def test_S39_the_session_keyring_stays_outside(ticket, tmp_path):
    """As Kerberos keeps tickets there. What stands in the place of bubblewrap sets no filter, so that it can ask."""
    key, _ = ticket
    asks = tmp_path / "asks"
    asks.write_text(f"#!/usr/bin/python3\n{CALL}print(call(250, 11, {key}, 0, 0))\n")
    asks.chmod(0o755)
    for launcher in ["provider", "network"]:
        done = subprocess.run([BINARIES / "latchkey-enter", launcher, asks], capture_output=True, text=True)
        assert done.stdout.strip() in ("EACCES", "ENOKEY"), done
    assert subprocess.run([asks], capture_output=True, text=True).stdout.strip() == "done"


def test_S39_no_names_of_keys_are_shown(ticket):
    _, name = ticket
    with Installation() as running:
        client = running.start().unlocked()
        if not client.call("status")["isolation"]["available"]:
            pytest.skip("no isolation here")
        assert name in subprocess.run(["cat", "/proc/keys"], capture_output=True, text=True).stdout
        hand = taken(Bundle(running), client)
        for path in ["/proc/keys", "/proc/key-users"]:
            assert hand.run(f"value = open({path!r}).read()") in ("", {"raised": "PermissionError"}), path


def test_S39_how_often_devices_call_is_not_told(running, client, isolated):
    """The keyboard is one of them: when keys are pressed tells much of what is typed."""
    hand = taken(Bundle(running), client)
    for path in ["/proc/interrupts", "/proc/softirqs"]:
        assert open(path).read()
        assert hand.run(f"value = open({path!r}).read()") in ("", {"raised": "PermissionError"}), path


def test_S39_what_the_user_starts_is_not_heard(running, client, isolated):
    """`inotify` on a folder that is shown would tell of each program that is started from it outside."""
    hand = taken(Bundle(running), client)
    answer = hand.run("""
import ctypes, errno
c = ctypes.CDLL(None, use_errno=True)
value = []
for call in (lambda: c.inotify_init1(0o4000), c.inotify_init, lambda: c.inotify_add_watch(0, b'/usr/bin', 0x20)):
    value.append([call(), errno.errorcode.get(ctypes.get_errno())])
""")
    assert answer == [[-1, "ENOSYS"]] * 3


@pytest.mark.parametrize("place", ["kernel/core_pattern", "kernel/hostname", "vm/drop_caches", "fs/pipe-max-size"])
def test_S39_what_the_kernel_is_set_to_is_not_written(running, client, isolated, place):
    hand = taken(Bundle(running), client)
    assert hand.run(f"open('/proc/sys/{place}', 'r+').close()")["raised"] in ("PermissionError", "OSError")


@pytest.mark.parametrize("host", ["localhost", "localhost.", "localhost..", "x.localhost", "x.localhost.", "LOCALHOST", "a..b"])
def test_S39_names_of_this_computer_do_not_reach_the_users_proxy(installation, host):
    with Proxy({}) as proxy:
        client = installation.start().unlocked()
        isolated_here(client)
        (installation.config / "fetch.json").write_text(json.dumps({"proxy": f"http://127.0.0.1:{proxy.port}"}))
        hand = taken(Bundle(installation, entitlements={NETWORK: True}), client)
        assert asked(hand, f"{host}:443") in ("403", "400")
        assert proxy.requests == []


#: Runs in a network namespace of its own, where a route delivers addresses that no interface has.
ROUTED = """
import array, os, socket, subprocess, sys, threading
#: Not every kernel has the first one.
for kind in ["dummy", "bridge"]:
    if subprocess.run(["ip", "link", "add", "far", "type", kind], capture_output=True).returncode == 0:
        break
for line in [
    "link set lo up", "addr add 9.8.7.6/32 dev lo", "route add local 9.9.9.0/24 dev lo",
    "rule add ipproto tcp lookup 100", "route add local 9.9.8.0/24 dev lo table 100",
    # The internet, as far as this one knows.
    "link set far up", "route add default dev far src 9.8.7.6",
]:
    subprocess.run(["ip", *line.split()], check=True)
server = socket.create_server(("0.0.0.0", 0))
port = server.getsockname()[1]
proxy = socket.create_server(("127.0.0.1", 0))
ours, theirs = socket.socketpair()
policy, say = os.pipe()
os.write(say, b"internet\\n")
os.close(say)
process = subprocess.Popen([sys.argv[1]], stdin=policy, preexec_fn=lambda: os.dup2(theirs.fileno(), 3), pass_fds=[3])
ours.sendmsg([b"\\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [proxy.fileno()]))])
def ask(host, seconds):
    with socket.create_connection(proxy.getsockname(), 20) as client:
        client.settimeout(seconds)
        client.sendall(f"CONNECT {host}:{port} HTTP/1.1\\r\\n\\r\\n".encode())
        try:
            return client.recv(4096).split()[1].decode()
        except TimeoutError:
            return "tries"
for host in ["9.8.7.6", "9.9.9.9"]:
    socket.create_connection((host, port), 10).close()
    print(host, ask(host, 60), flush=True)
# Some kernels find this route for what leaves and not for what comes in, so that nothing answers there.
print("9.9.8.8", ask("9.9.8.8", 60), flush=True)
print("[::ffff:9.9.9.9]", ask("[::ffff:9.9.9.9]", 60), flush=True)
# Not because nothing is reached.
print("9.7.7.7", ask("9.7.7.7", 1), flush=True)
process.kill()
process.wait()
"""


def test_S39_an_address_that_only_a_route_delivers_here_is_not_reached():
    trial = "(ip link add far type dummy || ip link add far type bridge) && ip rule add ipproto tcp lookup 100"
    if subprocess.run(["unshare", "-n", "sh", "-c", trial], capture_output=True).returncode:
        pytest.skip("no network namespaces here, no ip(8), or a kernel without such devices and rules")
    done = subprocess.run(
        ["unshare", "-n", sys.executable, "-c", ROUTED, BINARIES / "latchkey-net"], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "9.8.7.6 403", "9.9.9.9 403", "9.9.8.8 403", "[::ffff:9.9.9.9] 403", "9.7.7.7 tries"], done


def test_S39_a_folder_that_is_granted_gives_no_sockets(running, client, isolated):
    folder = running.folder / "agent"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "S.agent"))
        server.listen()
        server.settimeout(1)
        hand = taken(Bundle(running, entitlements={READ_ONLY: ["agent"]}), client)
        assert hand.run(f"value = os.listdir({str(folder)!r})") == ["S.agent"]
        for kind in ["STREAM", "DGRAM", "SEQPACKET"]:
            assert hand.run(f"socket.socket(socket.AF_UNIX, socket.SOCK_{kind})")["raised"] == "OSError"
        # A pair of streams reaches nobody; one for datagrams would reach any name.
        assert hand.run("socket.socketpair(); value = 'made'") == "made"
        for kind in ["DGRAM", "RAW"]:
            for flags in [0, socket.SOCK_CLOEXEC, socket.SOCK_NONBLOCK]:
                made = f"socket.socketpair(socket.AF_UNIX, socket.SOCK_{kind} | {int(flags)})"
                assert hand.run(made)["raised"] == "OSError", made
        with pytest.raises(TimeoutError):
            server.accept()


def test_S39_what_the_user_starts_is_not_heard_by_the_older_call_either(running, client, isolated):
    """dnotify (`fcntl` with `F_NOTIFY`) tells of the files of a folder as inotify does, by a signal."""
    hand = taken(Bundle(running), client)
    hand.run("""
import subprocess, sys
code = '''
import fcntl, os, signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
folder = os.open("/usr/bin", os.O_RDONLY | os.O_DIRECTORY)
try:
    fcntl.fcntl(folder, fcntl.F_SETSIG, signal.SIGRTMIN)
    fcntl.fcntl(folder, fcntl.F_NOTIFY, 0x1 | -0x80000000)
except OSError:
    print("refused", flush=True)
    raise SystemExit
print("listens", flush=True)
print("heard" if signal.sigtimedwait({signal.SIGRTMIN}, 20) else "heard nothing", flush=True)
'''
child = subprocess.Popen(["/usr/bin/python3", "-c", code], stdout=subprocess.PIPE, text=True)
value = None
""")
    said = hand.run("value = child.stdout.readline().strip()")
    subprocess.run(["/usr/bin/true"], check=True)
    if said == "listens":
        said = hand.run("value = child.stdout.readline().strip()")
    assert said == "refused"


@pytest.mark.parametrize("host", ["[::ffff:127.1]", "[127.0.0.1.1]", "127.0.0.256", "0x7f.0.0.0.1", "127.0.0.0x100", "[dead.beef]", "[::1::]"])
def test_S39_what_is_meant_as_an_address_does_not_reach_the_users_proxy(installation, host):
    """No resolver could have an answer for these; another reader of addresses may take them for one around the proxy."""
    with Proxy({}) as proxy:
        client = installation.start().unlocked()
        isolated_here(client)
        (installation.config / "fetch.json").write_text(json.dumps({"proxy": f"http://127.0.0.1:{proxy.port}"}))
        hand = taken(Bundle(installation, entitlements={NETWORK: True}), client)
        assert asked(hand, f"{host}:443") in ("403", "400")
        assert proxy.requests == []
