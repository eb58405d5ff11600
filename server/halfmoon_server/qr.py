"""QR codes of the server's own pages, so that a phone gets to a room without typing."""

import io
import re

import segno
from aiohttp import web

from halfmoon_server.keys import SERVER
from halfmoon_server.lan import reachable
from halfmoon_server.proxies import scheme_of

PATH = re.compile(r"r/[0-9A-Za-z]{1,16}(/wall)?|race/[0-9A-Za-z_-]{1,40}|c/[0-9A-Za-z]{1,16}")
"""What a code may lead to: pages of this server and nothing else."""
QUIET_ZONE = 2
"""Modules of white around the code."""


async def qr(request: web.Request) -> web.Response:
    """`GET /qr/r/ROOM`, `/qr/race/RACE`, `/qr/c/CHALLENGE`: the address of that page as a QR code, in SVG."""
    path = request.match_info["path"]
    if not PATH.fullmatch(path):
        return web.Response(status=404, text="there is no such page\n")
    settings = request.app[SERVER].around.settings
    place = reachable(request.headers["Host"], settings.host)
    scheme = scheme_of(request, settings.trusted_proxies)
    return web.Response(
        body=drawn(f"{scheme}://{place}/{path}"),
        content_type="image/svg+xml",
        headers={"Cache-Control": "no-store"},
    )


def drawn(address: str) -> bytes:
    """The address as a QR code: black on white, which every camera reads, in SVG."""
    out = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(out, kind="svg", border=QUIET_ZONE, light="#fff", xmldecl=False, omitsize=True)
    return out.getvalue()
