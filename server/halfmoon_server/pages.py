"""The web client's files, from a fixed table of what the package holds.

Every file is served below a hash of all of them, so that a browser may keep it for ever and still
has the new ones on the day of an update.  Modules and sheets travel together (`packing`).
"""

import functools
import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

import structlog
from aiohttp import web

from halfmoon_server.gate import HOST_TEXT
from halfmoon_server.languages import words_by_part
from halfmoon_server.packing import packed_modules, packed_sheets
from halfmoon_server.replies import error

log = structlog.get_logger()

CONTENT_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""What is served; other files of the package are not."""
WITH_LINKS = ("text/html", "text/css", "text/javascript", "application/manifest+json")
"""Files that may name others by their path below `STATIC`."""
FIRST_PAGE = "index.html"
FIRST_MODULE = "js/main.js"
STATIC = "/static/"
HASH_LENGTH = 32
API = "/api"
FAULTS = {
    404: ("unknown_path", "there is nothing here: see /api/openapi"),
    405: ("wrong_method", "this can't be done here: see /api/openapi"),
    413: ("too_big", "a body has at most 1 MiB"),
    500: ("broken", "the server has made a mistake, and a note of it"),
}
"""By status: the errors of the API that no handler of its own makes (Contract §8)."""
FOR_EVER = "public, max-age=31536000, immutable"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "manifest-src 'self'; connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Page:
    """One file, ready to be sent."""

    body: bytes
    compressed: bytes
    content_type: str
    etag: str


@functools.cache
def packaged_pages() -> tuple[str, dict[str, Page]]:
    """What `pages_of` makes of the package's files.

    They are read once: a page that was changed is served after the next start.
    """
    return pages_of(web_files(resources.files("halfmoon_web")))


def pages_of(files: Mapping[str, bytes]) -> tuple[str, dict[str, Page]]:
    """The hash of the web client, and its files by their path there, such as `js/main.js`."""
    packed = _packed(files)
    digest = hashlib.sha256()
    for name, body in packed.items():
        digest.update(name.encode() + b"\0" + len(body).to_bytes(8, "big") + body)
    version = digest.hexdigest()[:HASH_LENGTH]
    return version, {name: _page(name, body, version) for name, body in packed.items()}


def web_files(folder: Traversable) -> dict[str, bytes]:
    """The files of a web client, as they are written."""
    return dict(sorted(_walk(folder, "")))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            yield from _walk(entry, name + "/")
        elif _suffix(name) in CONTENT_TYPES and not name.endswith(".d.ts"):
            yield name, entry.read_bytes()


def _packed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    page, sheets = packed_sheets(files[FIRST_PAGE], files)
    others = {name: body for name, body in files.items() if _suffix(name) not in (".js", ".css")}
    return others | sheets | packed_modules(words_by_part(files), FIRST_MODULE) | {FIRST_PAGE: page}


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


def _page(name: str, body: bytes, version: str) -> Page:
    content_type = CONTENT_TYPES[_suffix(name)]
    if content_type in WITH_LINKS:
        body = body.replace(STATIC.encode(), f"{STATIC}{version}/".encode())
    etag = hashlib.sha256(body).hexdigest()[:HASH_LENGTH]
    return Page(body, gzip.compress(body, mtime=0), content_type, etag)


class Pages:
    """The handlers that serve the table."""

    def __init__(self) -> None:
        self._version, self._pages = packaged_pages()

    async def index(self, request: web.Request) -> web.Response:
        """`GET /`, `/r/ROOM` and below, `/race/RACE`, `/replay`, `/deal/CODE`, `/me`, `/daily`, `/c/ID`.

        The same page for all, be there such or not.
        """
        return self._send(request, self._pages.get(FIRST_PAGE))

    async def nothing(self, request: web.Request) -> web.Response:
        """`GET` of anything else: 404, for a reader with the page that says so and leads on."""
        reads_pages = "text/html" in request.headers.get("Accept", "")
        page = self._pages.get(FIRST_PAGE) if reads_pages else None
        return self._send(request, page, status=404)

    async def static(self, request: web.Request) -> web.Response:
        """`GET /static/HASH/…`: a file of the table; one answer for everything else."""
        version, _, name = request.match_info["path"].partition("/")
        page = self._pages.get(name) if version == self._version else None
        return self._send(request, page, cache=FOR_EVER)

    def _send(
        self, request: web.Request, page: Page | None, cache: str = "no-cache", status: int = 200
    ) -> web.Response:
        if page is None:
            return web.Response(status=404, text="there is no such page\n")
        headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        if page.content_type == "text/html":
            # Not `request.host`: a whole URL as the request's target would say what it is.
            host = request.headers["Host"]
            headers["Content-Security-Policy"] = _POLICY.format(host=host)
        body, etag = page.body, page.etag
        if _takes_gzip(request) and len(page.compressed) < len(body):
            # Other bytes under another tag (RFC 9110 §8.8.3).
            body, etag = page.compressed, page.etag + "-gzip"
            headers["Content-Encoding"] = "gzip"
        tags = request.if_none_match or () if status == 200 else ()  # RFC 9110 §13.2.1
        if any(tag.value == etag for tag in tags):
            response = web.Response(status=304, headers=headers)
        else:
            response = web.Response(
                status=status,
                body=body,
                content_type=page.content_type,
                charset="utf-8",
                headers=headers,
            )
        response.etag = etag
        return response


def _takes_gzip(request: web.Request) -> bool:
    """Whether the browser takes gzip, and hasn't said that it would rather not."""
    for part in request.headers.get("Accept-Encoding", "").split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@web.middleware
async def safe_headers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A host that can be named in a policy, no body where none is read, and headers for all."""
    hosts = request.headers.getall("Host", [])
    if len(hosts) != 1 or not HOST_TEXT.fullmatch(hosts[0]):
        response: web.StreamResponse = _fault(request, 400, "one plain Host is needed")
        response.force_close()
    else:
        response = await _handled(request, handler)
    if request.can_read_body:
        response.force_close()
    if not response.prepared:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    return response


async def _handled(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPException as fault:
        response = _fault(request, fault.status, fault.reason)
        if (allow := fault.headers.get("Allow")) is not None:
            response.headers["Allow"] = allow
        return response
    except Exception:
        # A broken promise of ours: aiohttp's own answer would say so in HTML, and its log is off.
        log.exception("request.broken", method=request.method)
        response = _fault(request, 500, "Internal Server Error")
        response.force_close()
        return response


def _fault(request: web.Request, status: int, text: str) -> web.Response:
    """An error that no handler made: of the API in JSON, else one line of text."""
    if request.path == API or request.path.startswith(API + "/"):
        code, message = FAULTS.get(status, ("bad_request", text))
        return error(status, code, message)
    return web.Response(status=status, text=text + "\n")
