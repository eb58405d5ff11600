"""Addresses for those who are not on the server's own machine."""

import socket
from pathlib import Path
from typing import Any

import pytest

from halfmoon_server import lan
from halfmoon_server.lan import host_in_links, is_loopback, own_addresses, reachable, split

ROUTES = """Main:
  +-- 0.0.0.0/0 3 0 4
     +-- 127.0.0.0/8 2 0 2
           |-- 127.0.0.1
              /32 host LOCAL
     +-- 192.168.1.0/24 2 0 2
        +-- 192.168.1.0/28 2 0 2
           |-- 192.168.1.0
              /24 link UNICAST
           |-- 192.168.1.5
              /32 host LOCAL
        |-- 192.168.1.255
           /32 link BROADCAST
"""


@pytest.mark.parametrize(
    ("netloc", "parts"),
    [
        ("192.168.1.5:8080", ("192.168.1.5", "8080")),
        ("halfmoon.example", ("halfmoon.example", "")),
        ("[::1]:8080", ("::1", "8080")),
        ("[::1]", ("::1", "")),
    ],
)
def test_a_host_header_is_a_host_and_maybe_a_port(netloc: str, parts: tuple[str, str]) -> None:
    assert split(netloc) == parts


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_only_this_device_is_found_under_a_loopback_address(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "netloc", ["127.0.0.1:8080", "localhost:8080", "0.0.0.0:8080", "[::]:8080"]
)
def test_a_page_opened_on_the_server_s_own_machine_has_links_that_others_can_open(
    netloc: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "own_addresses", lambda: ["192.168.1.5"])
    assert reachable(netloc, "0.0.0.0") == "192.168.1.5:8080"
    assert reachable("moon.example:8080", "0.0.0.0") == "moon.example:8080"


def test_a_server_that_listens_to_itself_alone_has_no_better_address() -> None:
    assert reachable("127.0.0.1:8080", "127.0.0.1") == "127.0.0.1:8080"


class NoWayOut:
    """A socket where no route leads anywhere."""

    def __init__(self, *_: Any) -> None: ...

    def __enter__(self) -> "NoWayOut":
        return self

    def __exit__(self, *_: object) -> None: ...

    def connect(self, _: Any) -> None:
        raise OSError(101, "Network is unreachable")


def test_in_a_network_that_leads_nowhere_the_own_address_is_found_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """B83: a switch and some laptops, without a router."""
    (tmp_path / "fib_trie").write_text(ROUTES)
    monkeypatch.setattr(socket, "socket", NoWayOut)
    monkeypatch.setattr(lan, "LINUX_ROUTES", tmp_path / "fib_trie")
    assert own_addresses() == ["192.168.1.5"]
    monkeypatch.setattr(lan, "LINUX_ROUTES", tmp_path / "elsewhere")
    assert own_addresses() == []


@pytest.mark.parametrize(
    ("listening_on", "addresses", "host"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("192.168.1.5", ["10.0.0.2"], "192.168.1.5"),
        ("0.0.0.0", ["192.168.1.5"], "192.168.1.5"),
        ("0.0.0.0", [], "127.0.0.1"),
        ("::", [], "::1"),
    ],
)
def test_a_link_names_an_address_that_a_browser_opens(
    listening_on: str, addresses: list[str], host: str
) -> None:
    assert host_in_links(listening_on, addresses) == host
