# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey-fetch`: what it can reach while it reads a stranger's bytes, and what it makes of bad requests."""

import json
import os
import pathlib
import socket
import ssl
import subprocess

import pytest

from installation import BINARIES, until
from quirks_kit import HOST, address, configure, pages, good_set
from test_sandbox import Listener, own_addresses
from tls_sites import Authority, Proxy, Site, answer


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


def ask(request, environment=None, wrapper=()):
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    # A pipe for its output: it may write no file.
    command = [*wrapper, BINARIES / "latchkey-fetch"]
    done = subprocess.run(command, input=body, capture_output=True, env=environment or {}, timeout=60)
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    "request_, word",
    [
        (b"", "not JSON"),
        (b"[]", "not a request"),
        (b'{"job": "quirks"', "not JSON"),
        ({"job": "quirks"}, "not a request"),
        ({"job": "shell", "request": {}, "configuration": {}}, "no such job"),
        ({"job": "quirks", "request": {}, "configuration": {}}, "files is missing"),
        ({"job": "quirks", "request": {"files": []}, "configuration": {}}, "files"),
        ({"job": "quirks", "request": {"files": {"../x": {"address": "https://a"}}}, "configuration": {}}, "no such file"),
        ({"job": "quirks", "request": {"files": {}}, "configuration": {"resolve": 1}}, "resolve"),
        (b" " * 300_000, "too long"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_requests_are_answered(request_, word):
    status, said = ask(request_)
    assert status == 1 and word in said["error"]["message"]


def test_a_job_that_ran_is_a_success_whatever_came_of_it():
    file = {"password-rules.json": {"address": "https://nowhere.invalid/"}}
    status, said = ask({"job": "quirks", "request": {"files": file}, "configuration": {}})
    assert status == 0
    assert said["result"]["files"]["password-rules.json"]["outcome"] == "unavailable"


def test_a_descriptor_that_is_none_is_answered():
    for number in [-1, 0, 1, 77, 2**31 - 1]:
        status, said = ask(
            {"job": "quirks", "request": {"files": {"password-rules.json": {"descriptor": number}}}, "configuration": {}}
        )
        assert status == 0 and said["result"]["files"]["password-rules.json"]["outcome"] == "bad"


def fetching(parent, program="latchkey-fetch"):
    """The processes of a program below one."""
    parents, names = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = dict(line.split(":\t", 1) for line in (entry / "status").read_text().splitlines() if ":\t" in line)
            except OSError:
                continue
            parents[int(entry.name)], names[int(entry.name)] = int(fields["PPid"]), fields["Name"]

    def is_below(process):
        while process > 1:
            process = parents.get(process, 0)
            if process == parent:
                return True
        return False

    return [process for process, name in names.items() if name == program and is_below(process)]


@pytest.fixture
def caught(installation, authority):
    """Processes in the middle of a download that does not end, and who started them."""
    slow = {path: lambda: iter([b"HTTP/1.1 200 OK\r\n", 600]) for path in pages(good_set())}
    (installation.folder / "canary").write_text("mine")
    variables = {"SSH_AUTH_SOCK": "/tmp/agent", "SECRET": "canary", "https_proxy": "http://127.0.0.1:9", "no_proxy": "elsewhere.example"}
    installation.environment |= variables
    with Site(authority.issue(HOST), slow) as site:
        configure(installation, site, authority)
        command = subprocess.Popen(
            [BINARIES / "latchkey", "quirks", "update", "--from", address()],
            env=installation.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            # The server has heard of each file: both processes are where strangers' bytes are read.
            until(lambda: len(site.requests) >= len(good_set()))
            yield command, fetching(command.pid)
        finally:
            command.kill()
            command.wait()


def look(process, name):
    """A file of /proc; skips where only root may read it, since these processes let nobody look into them."""
    try:
        return (pathlib.Path("/proc") / str(process) / name).read_bytes()
    except PermissionError:
        pytest.skip(f"/proc/PID/{name} of a process that cannot be dumped is for root")


def works_with_bubblewrap():
    trial = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "/bin/true"]
    try:
        return subprocess.run(trial, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def test_it_is_confined_while_it_reads(caught):
    _, processes = caught
    assert len(processes) == 2
    for process in processes:
        fields = dict(line.split(b":\t", 1) for line in look(process, "status").splitlines() if b":\t" in line)
        assert fields[b"NoNewPrivs"] == b"1" and fields[b"Seccomp"] == b"2"
        # Its own filter, and the one that bubblewrap has set before it.
        assert int(fields[b"Seccomp_filters"]) == (2 if works_with_bubblewrap() else 1)
        assert all(int(fields[name], 16) == 0 for name in [b"CapEff", b"CapPrm", b"CapBnd"]) or not works_with_bubblewrap()
        limits = look(process, "limits").decode()
        for name in ["Max core file size", "Max file size"]:
            assert [line for line in limits.splitlines() if line.startswith(name)][0].split()[4] == "0"
        environment = dict(entry.split(b"=", 1) for entry in look(process, "environ").split(b"\0") if entry)
        assert set(environment) <= {b"SWIFT_BACKTRACE", b"PWD"}


def test_it_sees_no_home_no_socket_and_writes_nothing(caught, installation):
    if not works_with_bubblewrap():
        pytest.skip("bubblewrap does not work here")
    _, processes = caught
    for process in processes:
        for line in look(process, "mountinfo").decode().splitlines():
            fields = line.split(" ")
            place, options, kind = fields[4], fields[5].split(","), fields[fields.index("-") + 1]
            # What can be written to is no place for files: /proc, the terminals and single devices.
            writable = "ro" not in options
            assert not writable or kind == "proc" or place.startswith("/dev/"), line
        root = pathlib.Path("/proc") / str(process) / "root"
        look(process, "environ")
        assert not (root / str(installation.folder)[1:]).exists()
        for place in ["home", "root", "run/user", "tmp", "var", "sys", "etc/machine-id", "etc/shadow"]:
            assert not (root / place).exists() or not list((root / place).iterdir()), place
        sockets = [path for path in root.glob("*/**/*.sock") if path.is_socket()] if os.geteuid() == 0 else []
        assert sockets == []
        # Alone: its own processes, names of its own, no way to see others'.
        for space in ["pid", "ipc", "uts", "mnt", "user", "net"]:
            assert os.readlink(f"/proc/{process}/ns/{space}") != os.readlink(f"/proc/self/ns/{space}")
        opened = [os.readlink(f"/proc/{process}/fd/{number}") for number in os.listdir(f"/proc/{process}/fd")]
        assert all(name.split(":")[0] in {"pipe", "socket", "anon_inode", "/dev/null"} for name in opened), opened


def test_S39_its_network_has_one_way_out(caught):
    if not works_with_bubblewrap():
        pytest.skip("bubblewrap does not work here")
    command, processes = caught
    ways = fetching(command.pid, "latchkey-net")
    assert len(ways) == len(processes) == 2
    spaces = {look_at(process, "ns/net") for process in processes}
    # One for each, none of them this computer's: abstract sockets and services of the loopback are in that one.
    assert len(spaces) == 2 and look_at("self", "ns/net") not in spaces
    for process in processes:
        devices = look(process, "net/dev").decode().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in devices] == ["lo"]
        # Both programs hold a connection inside, to the port that they were told of.
        peers = {line.split()[2] for line in look(process, "net/tcp").decode().splitlines()[1:] if line.split()[3] == "01"}
        assert "0100007F:0C38" in peers
    for way in ways:
        assert look_at(way, "ns/net") == look_at("self", "ns/net")
        assert not set(os.listdir(f"/proc/{way}/root")) & {"home", "root", "run", "tmp", "var"} or os.geteuid() != 0


def look_at(process, name):
    return os.readlink(f"/proc/{process}/{name}")


def test_it_ends_with_whoever_asked(caught):
    command, processes = caught
    assert processes
    processes = processes + fetching(command.pid, "latchkey-net")
    command.kill()
    command.wait()
    until(lambda: not any(pathlib.Path(f"/proc/{process}").exists() for process in processes))


def test_too_large_an_answer_never_comes_out(installation, authority):
    page = answer(b"[" + b",".join(b'"h%d.example"' % n for n in range(60_000)) + b"]")
    with Site(authority.issue(HOST), {"/x": page}) as site:
        request = {
            "job": "quirks",
            "request": {"files": {"websites-that-append-2fa-to-password.json": {"address": f"https://{HOST}/x"}}},
            "configuration": {"roots": authority.root.read_text(), "resolve": {f"{HOST}:443": f"127.0.0.1:{site.port}"}},
        }
        status, said = ask(request)
    outcome = said["result"]["files"]["websites-that-append-2fa-to-password.json"]
    assert status == 0 and outcome == {"outcome": "bad", "reason": "it has more than 50000 domains"}


# Whom it believes, and what it is told by whom.

LIST = "websites-that-append-2fa-to-password.json"


def fetched(authority, site, host=HOST, environment=None, wrapper=(), **configuration):
    """What becomes of one file that is fetched from a site."""
    place = {"resolve": {f"{host}:443": f"127.0.0.1:{site.port}"}} if site else {}
    request = {
        "job": "quirks",
        "request": {"files": {LIST: {"address": f"https://{host}/x"}}},
        "configuration": place | ({"roots": authority.root.read_text()} if authority else {}) | configuration,
    }
    status, said = ask(request, environment, wrapper)
    assert status == 0
    return said["result"]["files"][LIST]


PAGE = {"/x": answer(b'["one.example"]')}
HOSTS = "shiny.example.com"


@pytest.mark.parametrize(
    "names, host",
    [("DNS:shiny.example.com", HOSTS), ("DNS:SHINY.Example.com", HOSTS), ("DNS:*.example.com", HOSTS)]
    + [("DNS:other.example,DNS:shiny.example.com", HOSTS), ("IP:127.0.0.1", "127.0.0.1"), ("IP:::1", "[::1]")],
)
def test_a_certificate_names_its_host(authority, names, host):
    with Site(authority.issue("somebody.example", names=names), PAGE) as site:
        assert fetched(authority, site, host)["outcome"] == "good"
        assert len(site.requests) == 1


@pytest.mark.parametrize(
    "names, host",
    [
        ("DNS:example.com", HOSTS),
        ("DNS:*.example.com", "example.com"),
        ("DNS:*.example.com", "a.shiny.example.com"),
        ("DNS:shiny.example.com", "eviltshiny.example.com"),
        ("DNS:*", "com"),
        ("DNS:*.com", "example.com"),
        ("DNS:*.", "example.com"),
        ("DNS:*.*.com", HOSTS),
        ("DNS:shiny.*.com", HOSTS),
        ("DNS:s*.example.com", HOSTS),
        ("DNS:127.0.0.1", HOSTS),
        ("DNS:shiny.example.com.", HOSTS),
        ("DNS:.example.com", HOSTS),
        # The address that answers is not who was asked for.
        ("IP:127.0.0.1", HOSTS),
        ("DNS:127.0.0.1", "127.0.0.1"),
        ("IP:127.0.0.2", "127.0.0.1"),
        # These are no names of hosts.
        ("URI:https://shiny.example.com", HOSTS),
        ("email:shiny.example.com@example.com", HOSTS),
        # A common name alone: it was the host's own for decades, and is no longer (RFC 9525, section 2).
        ("", HOSTS),
        ("", "127.0.0.1"),
    ],
)
def test_a_certificate_of_others_is_refused(authority, names, host):
    with Site(authority.issue(host, names=names), PAGE) as site:
        file = fetched(authority, site, host)
        assert file["outcome"] == "unavailable" and "it is for another host" in file["reason"]
        assert site.requests == []


def test_an_intermediate_is_believed_for_its_root_only(authority, tmp_path):
    """An additional root has to be one: a certificate below it that somebody put there vouches for nobody."""
    leaf = authority.issue(HOST)
    with Site(leaf, PAGE) as site:
        alone = leaf.read_text().split("-----BEGIN PRIVATE KEY-----")[0]
        file = fetched(None, site, roots=alone)
        assert "the certificate is not to be trusted" in file["reason"] and site.requests == []


def test_the_roots_of_the_system_are_believed_with_and_without_more(authority, tmp_path):
    """A bundle of the test's own lies over the system's."""
    bundle = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
    if not works_with_bubblewrap() or not bundle.exists():
        pytest.skip("no bubblewrap, or another place for the system's roots")
    wrapper = ["/usr/bin/env", f"PATH={os.environ['PATH']}", "bwrap", "--dev-bind", "/", "/", "--ro-bind", authority.root, bundle]
    other = Authority(tmp_path / "other", "Another authority")
    with Site(authority.issue(HOST), PAGE) as site:
        assert fetched(None, site, wrapper=wrapper)["outcome"] == "good"
        assert fetched(other, site, wrapper=wrapper)["outcome"] == "good"
        assert "the certificate is not to be trusted" in fetched(other, site)["reason"]
    with Site(other.issue(HOST), PAGE) as site:
        assert fetched(other, site, wrapper=wrapper)["outcome"] == "good"
        assert "the certificate is not to be trusted" in fetched(None, site, wrapper=wrapper)["reason"]
    (tmp_path / "empty").touch()
    wrapper[-2] = tmp_path / "empty"
    with Site(authority.issue(HOST), PAGE) as site:
        assert "the certificate is not to be trusted" in fetched(None, site, wrapper=wrapper)["reason"]


def test_the_environment_says_nothing_of_whom_to_believe(authority, tmp_path):
    log, settings = tmp_path / "keys", tmp_path / "openssl.cnf"
    settings.write_text("openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\nMinProtocol = TLSv1.3\n")
    environment = {"SSLKEYLOGFILE": str(log), "OPENSSL_CONF": str(settings), "HOME": str(tmp_path), "CURL_HOME": str(tmp_path)}
    for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"]:
        environment[name] = str(authority.root)
    environment["SSL_CERT_DIR"] = str(authority.folder)
    (tmp_path / ".netrc").write_text(f"machine {HOST} login anna password hunter2\n")
    (tmp_path / ".curlrc").write_text("insecure\n")
    with Site(authority.issue(HOST), PAGE, maximum=ssl.TLSVersion.TLSv1_2) as site:
        assert "the certificate is not to be trusted" in fetched(None, site, environment=environment)["reason"]
        assert site.requests == []
        # Nor of what is sent, which settings hold, or where keys are written down.
        assert fetched(authority, site, environment=environment)["outcome"] == "good"
        assert len(site.requests) == 1
        assert not any(line.lower().startswith(("authorization:", "cookie:")) for line in site.requests[0])
    assert not log.exists()


VARIABLES = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy", "HTTP_PROXY", "socks_proxy"]


def test_S39_only_the_users_file_names_a_proxy(authority, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login anna password hunter2\ndefault login anna password hunter2\n")
    with Site(authority.issue(HOST), PAGE) as site, Proxy({f"{HOST}:443": site.port}) as proxy:
        at = f"http://127.0.0.1:{proxy.port}"
        others = {name: at for name in VARIABLES} | {"HOME": str(tmp_path), "NETRC": str(tmp_path / ".netrc")}
        assert fetched(authority, site, environment=others)["outcome"] == "good"
        assert "no address" in fetched(authority, None, environment=others)["reason"]
        assert proxy.requests == []
        # Nor does one exempt a host from the file's.
        exempt = {"no_proxy": "*", "NO_PROXY": "*", "HOME": str(tmp_path)}
        assert fetched(authority, None, environment=exempt, proxy=at)["outcome"] == "good"
        assert proxy.requests == [f"CONNECT {HOST}:443 HTTP/1.1"]
        assert not any("authorization" in line.lower() for line in proxy.heads[0] + site.requests[-1])
        assert fetched(authority, None, proxy=at.replace("//", "//me:p%40ss@"))["outcome"] == "good"
        assert "Proxy-Authorization: Basic bWU6cEBzcw==" in proxy.heads[1]
        assert not any("authorization" in line.lower() for line in site.requests[-1])
        assert "no address" in fetched(authority, None, proxy=at, noProxy=[HOST])["reason"]
        assert len(proxy.requests) == 2


@pytest.fixture
def listener():
    """Counts who connects to any address of this computer."""
    made = Listener()
    yield made
    made.close()


NEIGHBOURS = ["127.0.0.1", "127.8.9.1", "localhost", "[::1]", "0.0.0.0", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[fe80::1]", "[fd00::1]"]


@pytest.mark.parametrize("host", [*NEIGHBOURS, *own_addresses(), socket.gethostname()])
def test_S39_nothing_of_this_computer_is_connected_to(authority, listener, host):
    """Without a sandbox the program judges by itself, whether or not a proxy would go there for it."""
    assert listener.answers_here()
    came = len(listener.heads)
    with Proxy({}) as proxy:
        for configuration in [{}, {"proxy": f"http://127.0.0.1:{proxy.port}"}, {"resolve": {f"{HOST}:443": f"127.0.0.1:{listener.port}"}}]:
            file = fetched(authority, None, f"{host}:{listener.port}", **configuration)
            assert file["outcome"] == "unavailable" and "has no address" in file["reason"], file
        assert proxy.requests == []
    assert len(listener.heads) == came


@pytest.mark.parametrize("host", [*NEIGHBOURS, *own_addresses(), socket.gethostname()])
def test_S39_nor_by_its_way_out(installation, listener, host):
    assert listener.answers_here()
    came = len(listener.heads)
    done = installation.latchkey("quirks", "update", "--from", f"https://{host}:{listener.port}/", check=False)
    assert done.returncode == 11 and b"has no address" in done.stderr, done.stderr
    assert len(listener.heads) == came


@pytest.mark.parametrize("sandboxed", [True, False])
def test_S39_a_redirect_leads_to_no_neighbour(installation, authority, listener, sandboxed):
    """Where a page to change the password is looked for, redirects of strangers are followed."""
    place = f"https://127.0.0.1:{listener.port}/"
    pages = {"/.well-known/change-password": answer(status="302 Found", headers=[f"Location: {place}"])}
    came = len(listener.heads)
    with Site(authority.issue(HOST), pages) as site:
        if sandboxed:
            configure(installation, site, authority)
            done = installation.latchkey("change-password", f"https://{HOST}/", check=False)
            assert done.returncode in (0, 5, 11), done
        else:
            configuration = {"roots": authority.root.read_text(), "resolve": {f"{HOST}:443": f"127.0.0.1:{site.port}"}}
            request = {"job": "change-password", "request": {"address": f"https://{HOST}/"}, "configuration": configuration}
            ask(request)
        assert any(line.startswith("GET /.well-known/change-password ") for request in site.requests for line in request)
    assert len(listener.heads) == came


@pytest.mark.long
def test_a_download_that_is_given_up_does_not_crash_the_end(authority):
    """The answer is written while the transfer is still on its way: in the handshake, in the headers, in the body."""
    late = {"/x": [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", *([b" ", 0.02] * 4), 600]}
    with Site(authority.issue(HOST), late) as site, Site(authority.issue(HOST), {"/x": [b"HTTP/1.1 ", 600]}) as head:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            for port in [site.port, head.port, silent.getsockname()[1]] * 3:
                # `fetched` asserts the exit status.
                found = fetched(authority, None, resolve={f"{HOST}:443": f"127.0.0.1:{port}"}, deadline=1)
                assert "in time" in found["reason"]


def test_only_tls_1_2_and_newer_is_spoken(authority):
    for version in [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]:
        with Site(authority.issue(HOST), PAGE, maximum=version) as site:
            assert fetched(authority, site)["outcome"] == "good"
    with Site(authority.issue(HOST), PAGE, maximum=ssl.TLSVersion.TLSv1_1) as site:
        assert "no connection" in fetched(authority, site)["reason"] and site.requests == []
