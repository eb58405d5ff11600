"""Whom limits count: the peer itself, or who stands behind a proxy that the operator named."""

import pytest

from halfmoon_server.proxies import counted_as, nearest_untrusted, read_network

TRUSTED = (read_network("127.0.0.1"), read_network("10.0.0.0/8"), read_network("fd00::/8"))


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", "?"),
        (None, "?"),
        ("a pipe", "a pipe"),
    ],
)
def test_a_household_counts_as_one_address(remote: str | None, address: str) -> None:
    assert counted_as(remote) == address


@pytest.mark.parametrize(
    ("remote", "hops", "nearest"),
    [
        ("192.0.2.7", [], "192.0.2.7"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("::ffff:127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", ["192.0.2.7", "10.1.2.3"], "192.0.2.7"),
        # What a client made up stands before what our proxies wrote.
        ("127.0.0.1", ["198.51.100.1", "192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["127.0.0.1", "192.0.2.7", "10.1.2.3"], "192.0.2.7"),
        # From anybody else nothing is believed.
        ("192.0.2.9", ["198.51.100.1"], "192.0.2.9"),
        # A proxy that writes no address: it is as near as can be told.
        ("127.0.0.1", ["198.51.100.1", "unknown"], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1", ""], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.9"], "10.0.0.9"),
        (None, ["198.51.100.1"], None),
    ],
)
def test_forwarded_addresses_are_believed_as_far_as_the_proxies_are_ours(
    remote: str | None, hops: list[str], nearest: str | None
) -> None:
    assert nearest_untrusted(remote, hops, TRUSTED) == nearest


@pytest.mark.parametrize("text", ["", "proxy", "10.0.0.0/33", "10.0.0", "1.2.3.4/8/9"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"does not appear|netmask|Only one"):
        read_network(text)
