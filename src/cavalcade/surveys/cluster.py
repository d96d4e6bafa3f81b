"""Connecting to a Dask cluster: TLS between machines, and on this machine only schedulers of this user.

A Dask scheduler runs every task that reaches it, and its clients and workers unpickle what it sends. Without
TLS, whoever can reach its port can therefore run code as the users of the scheduler, the workers and the
client.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from ipaddress import ip_address

from cavalcade.ground.errors import CavalcadeError, optional
from cavalcade.ground.system import listens_alone


def local_workers(scheduler: str | None) -> int | None:
    """Return the number N of processes in `local:N`; None for an address of a cluster.

    Raises:
        CavalcadeError: N is not a number of processes.
    """
    kind, _, number = (scheduler or "").partition(":")
    if kind != "local":
        return None
    if not number.isdecimal() or not 0 < int(number) < 10_000:
        raise CavalcadeError(f"{scheduler!r} is not a number of processes, expected one like local:4")
    return int(number)


@contextmanager
def cluster(scheduler: str, attempts: int, *, insecure: bool = False) -> Iterator[tuple[Executor, int]]:
    """Connect to a scheduler; yield an executor and the number of workers.

    Args:
        scheduler: address of the scheduler, as `tls://HOST:8786`.
        attempts: attempts at a task that kills its worker.
        insecure: accept an address without TLS.

    Raises:
        CavalcadeError: the connection would not be secure, or no scheduler answers.
        MissingExtraError: Dask is not installed.
    """
    if not insecure:
        assert_secure(scheduler)
    dask = optional("dask.distributed", "survey", otherwise="; or leave out the scheduler")
    security = dask.Security()  # the files that Dask's configuration names
    if scheduler.startswith("tls:") and not security.tls_ca_file:
        raise CavalcadeError(
            f"{scheduler!r} needs certificates, and Dask's configuration names none: set "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, and the client's CERT and KEY, as docs/shards.md shows"
        )
    try:
        client = dask.Client(scheduler, timeout=10, security=security)
    except (OSError, ValueError, TimeoutError) as error:
        raise CavalcadeError(f"no Dask scheduler answers at {scheduler!r}: {error}") from None
    try:
        workers = len(client.scheduler_info()["workers"])
        yield client.get_executor(pure=False, retries=attempts), workers
    finally:
        client.close()


def assert_secure(scheduler: str) -> None:
    """Refuse an address through which other users could run code as this one.

    Accepted are `tls://` addresses, and on the loopback interface a port at which a process of this user
    listens.

    Raises:
        CavalcadeError: the address is not secure.
    """
    protocol, separator, rest = scheduler.partition("://")
    if protocol == "tls" and separator:
        return
    host, _, port = (rest if separator else scheduler).rpartition(":")
    if protocol != "tcp" and separator:
        why = "cavalcade connects by tls:// only"
    elif not _is_loopback(host.strip("[]")):
        why = "without TLS whoever reaches the scheduler can run code as you: use tls://"
    elif not port.isdecimal() or not listens_alone(int(port)):
        why = "another user may listen there, and could run code as you: use tls://"
    else:
        return
    raise CavalcadeError(f"{scheduler!r} is refused: {why}, or add --insecure-scheduler")


def _is_loopback(host: str) -> bool:
    """Whether a host is this machine, by name or by number."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
