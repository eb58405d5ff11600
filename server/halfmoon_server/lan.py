"""By which address other devices in the same network reach this machine."""

import ipaddress
import socket
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


LINUX_ROUTES = Path("/proc/net/fib_trie")
"""Where Linux lists the machine's own addresses among its routes."""


def own_addresses() -> list[str]:
    """The address by which others reach this machine, as far as it can be told without asking.

    Where no route leads out of the network there may be several.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses by which way it would be.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return _listed_addresses()
        return [str(probe.getsockname()[0])]


def _listed_addresses() -> list[str]:
    try:
        lines = [line.strip() for line in LINUX_ROUTES.read_text().splitlines()]
    except OSError:
        return []
    own = [
        line.removeprefix("|-- ")
        for line, what in pairwise(lines)
        if what.startswith("/32 host LOCAL")
    ]
    return [address for address in dict.fromkeys(own) if not is_loopback(address)]


def host_in_links(listening_on: str, addresses: Sequence[str]) -> str:
    """The host of links to this server; not every browser opens the address that stands for all.

    `addresses` are those by which others reach this machine.
    """
    if listening_on not in EVERYWHERE:
        return listening_on
    return addresses[0] if addresses else "::1" if ":" in listening_on else "127.0.0.1"


def url(host: str, port: int, scheme: str = "http") -> str:
    """The address of a page on this host."""
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def reachable(netloc: str, listening_on: str) -> str:
    """Host and port under which others find what this device knows as `netloc`.

    A page opened on the server's own machine is at a loopback address, which is no use to a phone.
    """
    host, port = split(netloc)
    if listening_on not in EVERYWHERE or not (is_loopback(host) or host in EVERYWHERE):
        return netloc
    addresses = own_addresses()
    if not addresses:
        return netloc
    return f"{addresses[0]}:{port}" if port else addresses[0]


def split(netloc: str) -> tuple[str, str]:
    """Host and port of `host:port`, `[host]:port` or a host alone, whose port is empty."""
    host, _, port = netloc.rpartition(":")
    return (host.strip("[]"), port) if port.isdigit() and host else (netloc.strip("[]"), "")


def is_loopback(host: str) -> bool:
    """Whether only this device itself is found under this host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
