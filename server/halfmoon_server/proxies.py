"""Who is behind a reverse proxy: forwarded addresses are believed from the operator's own alone."""

import ipaddress
from collections.abc import Sequence

from aiohttp import web

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Networks = tuple[Network, ...]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def read_network(text: str) -> Network:
    """The network or single address that `text` names; raises ValueError."""
    return ipaddress.ip_network(text.strip(), strict=False)


def address_of(request: web.Request, trusted: Networks) -> str:
    """What limits count this request by."""
    hops = [
        hop.strip()
        for line in request.headers.getall("X-Forwarded-For", [])
        for hop in line.split(",")
    ]
    return counted_as(nearest_untrusted(request.remote, hops, trusted))


def scheme_of(request: web.Request, trusted: Networks) -> str:
    """`http` or `https`, as the browser has it: a proxy that ends TLS says so."""
    told = request.headers.get("X-Forwarded-Proto", "").strip().lower()
    if told in ("http", "https") and _is_trusted(_read(request.remote), trusted):
        return told
    return request.scheme


def nearest_untrusted(remote: str | None, hops: Sequence[str], trusted: Networks) -> str | None:
    """The nearest address on the way that no proxy of ours has; `hops` as the header lists them.

    Each proxy appends whom it was asked by, so the list is read from its end, and only as long as
    the one who wrote an entry is trusted: what stands before it may be made up.
    """
    nearest = remote
    for hop in reversed(hops):
        if not _is_trusted(_read(nearest), trusted) or _read(hop) is None:
            break
        nearest = hop
    return nearest


def counted_as(remote: str | None) -> str:
    """An IPv4 address, or the /64 that an IPv6 household has."""
    address = _read(remote)
    if address is None:
        return remote or "?"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _read(text: str | None) -> Address | None:
    """The address, without a zone, and IPv4 where it is only dressed up as IPv6."""
    try:
        address = ipaddress.ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _is_trusted(address: Address | None, trusted: Networks) -> bool:
    return address is not None and any(address in network for network in trusted)
