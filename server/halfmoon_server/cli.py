"""The verb `serve`: options to settings, then run until told to stop."""

import argparse
import asyncio
import logging
import os
import signal
import socket
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from aiohttp import web

from halfmoon.cli import Failed, Parser, Verbs
from halfmoon_server.app import make_app, quiet_library_logs, require_safe_parser
from halfmoon_server.eventlog.base import DataFolderError, LogUnavailable
from halfmoon_server.gate import host_and_port
from halfmoon_server.keys import SERVER
from halfmoon_server.lan import EVERYWHERE, host_in_links, own_addresses, url
from halfmoon_server.limit_options import add_limits, count, limits_of
from halfmoon_server.loglines import stderr
from halfmoon_server.organiser import VARIABLE
from halfmoon_server.proxies import Network, read_network
from halfmoon_server.settings import Settings
from halfmoon_server.tls import UnusableCertificate, server_context

STOP_WITHIN_S = 4.0
KEEP_ALIVE_S = 10.0
"""An idle HTTP connection, or half a request, is closed after this."""
EXAMPLE = """example:
  halfmoon serve                                 for this machine alone
  halfmoon serve --host 0.0.0.0 --port 8080      for everybody in the same network
"""


def add_serve(verbs: "Verbs[Parser]") -> None:
    """Add the verb `serve` to the command line."""
    parser = verbs.add_parser(
        "serve",
        help="run a server that friends race on",
        description="Run a server that friends race on. Stops cleanly on Ctrl-C and SIGTERM.",
        epilog=EXAMPLE,
    )
    own = Settings()
    parser.add_argument(
        "--host", type=_host, default="127.0.0.1", help="address to listen on (%(default)s)"
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=8080,
        help="port to listen on; 0 takes a free one (%(default)s)",
    )
    parser.add_argument(
        "--data",
        type=folder,
        metavar="DIR",
        help="folder that keeps everything (a folder for each port in your home; none for port 0)",
    )
    parser.add_argument(
        "--timezone",
        type=_zone,
        metavar="ZONE",
        help="where the day's deal changes at midnight, such as Europe/Budapest (the system's)",
    )
    parser.add_argument(
        "--keep-days",
        type=count,
        metavar="N",
        help="delete rooms that have been gone for N days, records and results of their races too",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        type=_origin,
        default=[],
        metavar="ORIGIN",
        help="a further origin whose pages may connect, such as https://club.example",
    )
    parser.add_argument(
        "--tls-cert", type=Path, metavar="FILE", help="certificate in PEM form: https and wss"
    )
    parser.add_argument(
        "--tls-key",
        type=Path,
        metavar="FILE",
        help="its key, where the certificate's file has none",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        type=_network,
        default=[],
        metavar="ADDRESS",
        help="a reverse proxy, or a network of them, whose X-Forwarded-For is believed",
    )
    for name, default, what in (
        (
            "hello-within-ms",
            own.hello_within_ms,
            "ms until a connection that said no hello is closed",
        ),
        ("ping-every-ms", own.ping_every_ms, "ms between two pings"),
        ("pong-within-ms", own.pong_within_ms, "ms within which a pong has to come"),
    ):
        parser.add_argument(
            f"--{name}", type=count, default=default, metavar="N", help=f"{what} (%(default)s)"
        )
    add_limits(parser)
    parser.set_defaults(run=serve, complain=parser.error)


def serve(options: argparse.Namespace) -> int:
    """Run the server until it is told to stop; the exit status.

    Raises `Failed` where the port or the data folder can't be used.
    """
    if options.tls_key is not None and options.tls_cert is None:
        options.complain("--tls-key needs --tls-cert")
    settings = Settings(
        host=options.host,
        port=options.port,
        data=options.data or home_folder(options.port),
        organiser_key=os.environ.get(VARIABLE) or None,
        keep_days=options.keep_days,
        allowed_origins=frozenset(options.allow_origin),
        timezone=options.timezone,
        tls_cert=options.tls_cert,
        tls_key=options.tls_key,
        trusted_proxies=tuple(options.trusted_proxy),
        limits=limits_of(options),
        hello_within_ms=options.hello_within_ms,
        ping_every_ms=options.ping_every_ms,
        pong_within_ms=options.pong_within_ms,
    )
    log_to_stderr()
    _set_process_limits()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings))
    return 0


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    require_safe_parser()
    tls = _tls(settings)
    listener = _listen(settings)
    try:
        app = make_app(settings)
    except DataFolderError as error:
        listener.close()
        raise Failed(str(error)) from None
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=STOP_WITHIN_S, keepalive_timeout=KEEP_ALIVE_S
    )
    try:
        await runner.setup()
        server = await serve_on(listener, runner, tls)
        try:
            _announce(settings, listener, app[SERVER].organiser.key)
            await stop.wait()
        finally:
            server.close()
    except LogUnavailable as error:
        listener.close()
        raise Failed(f"the data folder {settings.data} can't be used: {error}") from None
    finally:
        await runner.cleanup()


async def serve_on(
    listener: socket.socket,
    runner: web.AppRunner,
    tls: ssl.SSLContext | None,
    handshake_within_s: float = KEEP_ALIVE_S,
) -> asyncio.Server:
    """Serve the application of a runner that was set up.

    aiohttp's own sites would give a TLS handshake a minute.
    """
    assert runner.server is not None, "the runner was set up"
    return await asyncio.get_running_loop().create_server(
        runner.server,
        sock=listener,
        ssl=tls,
        ssl_handshake_timeout=None if tls is None else handshake_within_s,
        backlog=1024,
    )


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Gives uvloop where the platform has it: an eighth less time for each message."""
    try:
        import uvloop  # noqa: PLC0415
    except ImportError:
        return None
    return uvloop.new_event_loop


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.tls_cert is None:
        return None
    try:
        return server_context(settings.tls_cert, settings.tls_key)
    except UnusableCertificate as error:
        raise Failed(str(error)) from None


def _listen(settings: Settings) -> socket.socket:
    place = f"{settings.host} port {settings.port}"
    try:
        return socket.create_server(
            (settings.host, settings.port),
            family=socket.AF_INET6 if ":" in settings.host else socket.AF_INET,
            backlog=1024,
            reuse_port=False,
        )
    except OSError as error:
        # Python puts the address into some of these, and it stands in the line already.
        why = (error.strerror or str(error)).partition(" (while attempting")[0]
        raise Failed(
            f"can't listen on {place}: {why}; give another with --host or --port"
        ) from None


def _announce(settings: Settings, listener: socket.socket, key: str) -> None:
    port = listener.getsockname()[1]
    scheme = "http" if settings.tls_cert is None else "https"
    print(f"Half Moon is listening on {url(settings.host, port, scheme)}", flush=True)
    addresses = own_addresses() if settings.host in EVERYWHERE else []
    for address in addresses:
        print(f"In this network: {url(address, port, scheme)}", flush=True)
    host = host_in_links(settings.host, addresses)
    print(f"To run a tournament: {url(host, port, scheme)}/organiser#{key}", flush=True)
    if settings.data is None:
        print("Nothing is kept after the server stops: give a folder with --data", flush=True)
    else:
        print(f"Everything is kept in {settings.data}", flush=True)


def home_folder(port: int) -> Path | None:
    """Where a server on this port keeps its log when nobody says where."""
    if port == 0:
        return None
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "halfmoon" / f"port-{port}"


def _host(text: str) -> str:
    if not text or any(character.isspace() or character == "/" for character in text):
        raise argparse.ArgumentTypeError(f"{text!r} is no address, such as 127.0.0.1 or 0.0.0.0")
    return text


def folder(text: str) -> Path:
    """The folder that an option names."""
    if not text:
        raise argparse.ArgumentTypeError("a folder needs a name")
    return Path(text)


def _zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time zone that this machine knows, such as Europe/Budapest"
        ) from None


def _origin(text: str) -> str:
    origin = text.removesuffix("/").lower()
    if host_and_port(origin) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no origin, such as https://club.example")
    return origin


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 0 to 65535")
    return int(text)


def _network(text: str) -> Network:
    try:
        return read_network(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address or network, such as 127.0.0.1 or 10.0.0.0/8"
        ) from None


def log_to_stderr() -> None:
    """Write log lines for people where they read them, else as JSON."""
    quiet_library_logs()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer()
            if sys.stderr.isatty()
            else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=stderr,
    )


def _set_process_limits() -> None:
    """Many open files, since each connection is one; no core dump, which would hold hidden cards."""
    try:
        import resource  # noqa: PLC0415 - not on every platform
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
