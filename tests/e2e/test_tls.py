"""TLS by a certificate of one's own: pages, sockets, the printed address, and files that are wrong."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from halfmoon.cli import main
from halfmoon_server.app import make_app
from halfmoon_server.cli import serve_on
from halfmoon_server.settings import Settings
from halfmoon_server.tls import server_context
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.server import server_process
from halfmoon_testing.wsraw import Raw

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't installed")


def make_certificate(folder: Path, name: str, *options: str) -> tuple[Path, Path]:
    """A certificate for this machine and its key, as a man with openssl makes them."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    line = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=localhost "
        "-addext subjectAltName=IP:127.0.0.1,DNS:localhost"
    )
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(
        [*line.split(), *files, *(options or ["-nodes"])], check=True, capture_output=True
    )
    return certificate, key


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("tls"), "own")


async def test_pages_and_sockets_by_a_certificate_of_ones_own(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    certificate, key = files
    trust = ssl.create_default_context(cafile=str(certificate))
    options = ("--tls-cert", str(certificate), "--tls-key", str(key))
    async with server_process(tmp_path / "data", *options) as server:
        assert server.printed.startswith(
            f"Half Moon is listening on https://127.0.0.1:{server.port}"
        )
        async with ClientSession() as session:
            url = f"https://127.0.0.1:{server.port}"
            async with session.get(url + "/", ssl=trust) as page:
                assert page.status == 200
                assert "Strict-Transport-Security" not in page.headers
                policy = page.headers["Content-Security-Policy"]
                assert f"wss://127.0.0.1:{server.port}" in policy
            async with session.get(url + "/api/address", ssl=trust) as address:
                assert (await address.json())["origin"] == url
        wss = f"wss://127.0.0.1:{server.port}/ws"
        ann = await Driver.open(wss, ssl=trust)
        await ann.hello("Ann")
        async with drivers(ann):
            await ann.create(countdown_ms=0)
            await ann.done("set_ready", ready=True)
            await ann.done("start")
            await ann.until("board")
            assert await server.terminate() == 0
            assert (await ann.closed())[0] == 1012


@pytest.mark.parametrize(
    ("certificate", "key", "what"),
    [
        ("missing.pem", "own.key", r"can't read .*missing\.pem: No such file"),
        ("own.pem", "missing.key", r"can't read .*missing\.key: No such file"),
        (".", "own.key", "Is a directory"),
        ("own.pem", "other.key", "the key belongs to another certificate"),
        ("own.key", "own.key", "no certificate and its key"),
        ("empty.pem", "own.key", "no certificate and its key"),
        ("own.pem", None, "no certificate and its key"),
        ("locked.pem", "locked.key", "needs a password"),
    ],
)
def test_files_that_can_not_be_used_are_one_line_and_status_1(
    files: tuple[Path, Path],
    certificate: str,
    key: str | None,
    what: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = files[0].parent
    (folder / "empty.pem").touch()
    for name, options in (("other", ()), ("locked", ("-passout", "pass:secret"))):
        if not (folder / f"{name}.pem").exists():
            make_certificate(folder, name, *options)
    arguments = ["serve", "--port", "0", "--tls-cert", str(folder / certificate)]
    arguments += [] if key is None else ["--tls-key", str(folder / key)]
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.search(what, err), err


def test_a_key_without_a_certificate_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "0", "--tls-key", "own.key"]) == 2
    assert "--tls-key needs --tls-cert" in capsys.readouterr().err


async def test_a_tls_handshake_that_does_not_come_is_let_go(files: tuple[Path, Path]) -> None:
    """X12: as soon as half an HTTP request is."""
    runner = web.AppRunner(make_app(Settings()))
    await runner.setup()
    listener = socket.create_server(("127.0.0.1", 0))
    server = await serve_on(listener, runner, server_context(*files), handshake_within_s=0.2)
    try:
        for said in (b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n"):
            async with await Raw.open(listener.getsockname()[1]) as raw:
                raw.send(said)
                await raw.end()
    finally:
        server.close()
        await runner.cleanup()
