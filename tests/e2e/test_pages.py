"""Pages, their files and QR codes, over HTTP."""

from __future__ import annotations

import re

import aiohttp
import pytest

from halfmoon_testing.server import InProcess, get_json, get_text


async def test_files_are_kept_for_ever_and_the_page_is_asked_for_each_time(
    server: InProcess,
) -> None:
    page = await get_text(server, "/r/ABCDE")
    paths = re.findall(r'"(/static/[^"]+)"', page)
    assert len(paths) > 3
    async with aiohttp.ClientSession(f"http://127.0.0.1:{server.port}") as session:
        async with session.get("/") as index:
            assert index.headers["Cache-Control"] == "no-cache"
        for path in paths[:3]:
            async with session.get(path) as file:
                assert file.status == 200
                assert "immutable" in file.headers["Cache-Control"]
                assert file.headers["Content-Encoding"] == "gzip"
                assert file.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip;q=0", "gzip; q=0.0"])
async def test_who_takes_no_gzip_gets_none(server: InProcess, accepted: str) -> None:
    headers = {"Accept-Encoding": accepted}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"http://127.0.0.1:{server.port}/") as page,
    ):
        assert "Content-Encoding" not in page.headers
        assert (await page.text()).startswith("<!doctype html>")


@pytest.mark.parametrize(
    "path", ["/qr/r/ABCDE", "/qr/race/r_0fdd28eb02314d2c", "/qr/c/ABCDEFGHJKMN"]
)
async def test_rooms_and_races_have_qr_codes_whether_they_are_there_or_not(
    server: InProcess, path: str
) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{server.port}{path}") as code,
    ):
        assert code.status == 200
        assert code.content_type == "image/svg+xml"


@pytest.mark.parametrize(
    "path",
    ["/qr/", "/qr/http://evil.example", "/qr/r/", "/qr/r/../x", "/qr/race/", "/qr/c/", "/qr/me"],
)
async def test_a_qr_code_leads_nowhere_else(server: InProcess, path: str) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{server.port}{path}") as code,
    ):
        assert code.status == 404


async def test_a_page_learns_which_link_others_can_open(server: InProcess) -> None:
    address = await get_json(server, "/api/address")
    assert address == {"origin": f"http://127.0.0.1:{server.port}", "reach": "device"}
