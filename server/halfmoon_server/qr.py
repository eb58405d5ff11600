"""QR codes of the server's own pages, so that a phone gets to a room without typing."""

import asyncio
import io
import re
from collections.abc import Iterator, Sequence

import segno
from aiohttp import web

from halfmoon.wire.tournaments import QrCode, QrCodes, SecretLinks
from halfmoon_server.bodies import body_of
from halfmoon_server.keys import SERVER
from halfmoon_server.lan import reachable
from halfmoon_server.proxies import scheme_of

PATH = re.compile(r"[rt]/[0-9A-Za-z]{1,16}(/wall)?|race/[0-9A-Za-z_-]{1,40}|c/[0-9A-Za-z]{1,16}")
"""What a code may lead to: pages of this server and nothing else."""
QUIET_ZONE = 2
"""Modules of white around the code."""


async def qr(request: web.Request) -> web.Response:
    """`GET /qr/r/ROOM`, `/qr/t/T`, `/qr/race/RACE`, `/qr/c/CHALLENGE`: that page's address, in SVG."""
    path = request.match_info["path"]
    if not PATH.fullmatch(path):
        return web.Response(status=404, text="there is no such page\n")
    return web.Response(
        body=drawn(f"{_origin(request)}/{path}"),
        content_type="image/svg+xml",
        headers={"Cache-Control": "no-store"},
    )


async def secret_codes(request: web.Request) -> QrCodes:
    """The codes of links that hold a secret, in order. Raises `Refused`.

    The secrets come in the body: they stand in no address, which logs and histories keep.
    """
    asked = await body_of(request, SecretLinks)
    origin = _origin(request)
    return await asyncio.to_thread(
        lambda: QrCodes(codes=[outline(origin + link) for link in asked.links])
    )


def _origin(request: web.Request) -> str:
    settings = request.app[SERVER].around.settings
    place = reachable(request.headers["Host"], settings.host)
    return f"{scheme_of(request, settings.trusted_proxies)}://{place}"


def drawn(address: str) -> bytes:
    """The address as a QR code: black on white, which every camera reads, in SVG."""
    out = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(out, kind="svg", border=QUIET_ZONE, light="#fff", xmldecl=False, omitsize=True)
    return out.getvalue()


def outline(address: str) -> QrCode:
    """The address as a QR code for a page to draw."""
    code = segno.make(address, micro=False)
    rows = [bytes(row) for row in code.matrix_iter(border=QUIET_ZONE)]
    return QrCode(side=len(rows), path="".join(_runs(rows)))


def _runs(rows: Sequence[bytes]) -> Iterator[str]:
    """Each run of dark modules as a rectangle."""
    for y, row in enumerate(rows):
        for run in re.finditer(b"\x01+", row):
            length = run.end() - run.start()
            yield f"M{run.start()} {y}h{length}v1h-{length}z"
