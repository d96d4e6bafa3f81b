"""Workers of surveys and shards: none listens, and another user's scheduler is refused."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade as cv
from cavalcade.surveys.cluster import assert_secure, local_workers
from conftest import one_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Ran

NOBODY = 65534


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text(encoding="ascii").split():
            yield from family(int(child))


def listening(pid: int) -> set[str]:
    """Return the addresses at which a process and its descendants listen, of TCP and of abstract sockets."""
    inodes = set()
    for process in family(pid):
        for descriptor in Path(f"/proc/{process}/fd").glob("*"):
            try:
                inodes.add(str(descriptor.readlink()))
            except OSError:
                continue
    addresses = set()
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/{pid}/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            words = row.split()
            if words[3] == "0A" and f"socket:[{words[9]}]" in inodes:
                addresses.add(words[1])
    for row in Path(f"/proc/{pid}/net/unix").read_text(encoding="ascii").splitlines()[1:]:
        words = row.split()
        if words[3] == "00010000" and f"socket:[{words[6]}]" in inodes:  # flags of a listening socket
            addresses.add("unix " + words[-1])
    return addresses


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the sockets of a process are read from /proc")
@pytest.mark.parametrize(
    "words",
    [
        ["survey", "{m}x6 for m in 5..12"],
        pytest.param(["count", "5x6", "--shards", "2"], marks=pytest.mark.slow),
    ],
)
def test_local_workers_open_no_socket(words: list[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)):
        assert listening(os.getpid()), "the test sees a socket that listens"
    command = [
        sys.executable,
        "-m",
        "cavalcade",
        *words,
        "-o",
        str(tmp_path / "out"),
        "--scheduler",
        "local:2",
    ]
    seen: set[str] = set()
    processes = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            try:
                processes = max(processes, len([*family(running.pid)]))
                seen |= listening(running.pid)
            except OSError:  # a process ended while it was inspected
                continue
            time.sleep(0.02)
    assert (running.returncode, seen) == (0, set())
    assert processes > 2, "the workers were seen"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("tcp://10.0.0.1:8786", "whoever reaches the scheduler"),
        ("192.168.1.5:8786", "whoever reaches the scheduler"),
        ("tcp://[2001:db8::1]:8786", "whoever reaches the scheduler"),
        ("tcp://127.0.0.1.evil.example:8786", "whoever reaches the scheduler"),
        ("tcp://127.0.0.1", "whoever reaches the scheduler"),
        ("tcp://localhost:http", "another user may listen there"),
        ("tcp://localhost:1", "another user may listen there"),
        ("inproc://10.0.0.1/1/1", "tls:// only"),
        ("ws://127.0.0.1:8786", "tls:// only"),
        ("tls:127.0.0.1:8786", "whoever reaches the scheduler"),
    ],
)
def test_addresses_without_tls_are_refused(address: str, reason: str) -> None:
    with pytest.raises(cv.CavalcadeError, match=reason) as refusal:
        assert_secure(address)
    assert "--insecure-scheduler" in str(refusal.value)


def test_the_command_refuses_before_it_connects(cli: Callable[..., Ran], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        port = listener.getsockname()[1]
        for words in (["survey", "5x5"], ["count", "6x6", "--shards", "4"]):
            address = f"ws://127.0.0.1:{port}"
            ran = cli(*words, "-o", tmp_path / words[0], "--scheduler", address)
            one_error(ran, f"{address!r} is refused: cavalcade connects by tls:// only")
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_local_workers_are_processes() -> None:
    assert [local_workers(text) for text in ("local:4", "tcp://127.0.0.1:1", None)] == [4, None, None]
    for text in ("local:0", "local:", "local:x", "local:-1", "local:99999"):
        with pytest.raises(cv.CavalcadeError, match="expected one like local:4"):
            local_workers(text)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
def test_a_scheduler_of_another_user_is_refused() -> None:
    """On the loopback interface a scheduler of this user is accepted, and one of another user is refused."""
    script = (
        "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); "
        "print(s.getsockname()[1], flush=True); sys.stdin.read()"
    )
    for user, accepted in ((os.geteuid(), True), (NOBODY, False)):
        with subprocess.Popen(
            [shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable, "-c", script],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=user, cwd="/",
        ) as other:  # fmt: skip
            assert other.stdout is not None
            address = f"tcp://127.0.0.1:{int(other.stdout.readline())}"
            if accepted:
                assert_secure(address)
            else:
                with pytest.raises(cv.CavalcadeError, match="another user"):
                    assert_secure(address)
            other.communicate()


def certificates(folder: Path) -> dict[str, str]:
    """Write a certificate authority, and a certificate signed by it, with the program `openssl`."""
    ca, ca_key, request, certificate, key = (
        str(folder / name) for name in ("ca.pem", "ca-key.pem", "request.pem", "cert.pem", "key.pem")
    )
    for words in (
        ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=ca", "-keyout", ca_key, "-out", ca],
        ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=dask", "-keyout", key, "-out", request],
        ["x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-out", certificate],
    ):
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    return {"ca": ca, "cert": certificate, "key": key}


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Any]]:
    """Start a cluster with TLS; yield its address and Dask's configuration."""
    dask: Any = pytest.importorskip("dask")
    distributed: Any = pytest.importorskip("distributed")
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, which makes the certificates")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    files = certificates(tmp_path)
    settings = {"ca-file": files["ca"]} | {
        f"{role}.{name}": files[name]
        for role in ("client", "scheduler", "worker")
        for name in ("cert", "key")
    }
    with dask.config.set({f"distributed.comm.tls.{name}": file for name, file in settings.items()}):
        security = distributed.Security()
        with distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,
            protocol="tls", security=security,
        ) as cluster:  # fmt: skip
            yield cluster.scheduler_address, dask.config


@pytest.mark.slow  # its start takes longer than Dask allows on a busy machine
def test_a_cluster_with_tls(tls: tuple[str, Any], tmp_path: Path) -> None:
    address, config = tls
    assert address.startswith("tls://")
    assert cv.count_in_shards("6x6", tmp_path / "shards", 4, scheduler=address).count == 9862
    unset = config.set({"distributed.comm.tls.ca-file": None})
    with unset, pytest.raises(cv.CavalcadeError, match="CA_FILE"):
        cv.survey("5x6", tmp_path / "survey", scheduler=address)
