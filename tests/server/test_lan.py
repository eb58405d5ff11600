"""Addresses for those who are not on the server's own machine."""

import pytest

from halfmoon_server.lan import is_loopback, reachable, split


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


def test_a_server_that_listens_to_itself_alone_has_no_better_address() -> None:
    assert reachable("127.0.0.1:8080", "127.0.0.1") == "127.0.0.1:8080"
