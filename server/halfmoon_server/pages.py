"""The web client's files, from a fixed table of what the package holds."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from aiohttp import web

from halfmoon_server.gate import HOST_TEXT

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
    content_type: str
    etag: str


def packaged_pages() -> dict[str, Page]:
    """Every file of the web client by its path in the package, such as `js/main.js`."""
    return dict(_walk(resources.files("halfmoon_web"), ""))


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Page]]:
    found: list[tuple[str, Page]] = []
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            found.extend(_walk(entry, name + "/"))
            continue
        content_type = CONTENT_TYPES.get("." + entry.name.rpartition(".")[2])
        if content_type is not None and not entry.name.endswith(".d.ts"):
            body = entry.read_bytes()
            etag = hashlib.sha256(body).hexdigest()[:32]
            found.append((name, Page(body, content_type, etag)))
    return found


class Pages:
    """The handlers that serve the table."""

    def __init__(self) -> None:
        self._pages = packaged_pages()

    async def index(self, request: web.Request) -> web.Response:
        """`GET /` and `GET /r/ROOM`: the same page, whether there is such a room or not."""
        return self._send(request, self._pages.get("index.html"))

    async def static(self, request: web.Request) -> web.Response:
        """`GET /static/…`: a file of the table; one answer for everything else."""
        return self._send(request, self._pages.get(request.match_info["path"]))

    def _send(self, request: web.Request, page: Page | None) -> web.Response:
        if page is None:
            return web.Response(status=404, text="there is no such page\n")
        headers = {"Cache-Control": "no-cache"}
        if page.content_type == "text/html":
            # Not `request.host`: a whole URL as the request's target would say what it is.
            host = request.headers["Host"]
            headers["Content-Security-Policy"] = _POLICY.format(host=host)
        if any(tag.value == page.etag for tag in request.if_none_match or ()):
            response = web.Response(status=304, headers=headers)
        else:
            response = web.Response(
                body=page.body, content_type=page.content_type, charset="utf-8", headers=headers
            )
        response.etag = page.etag
        return response


@web.middleware
async def safe_headers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A host that can be named in a policy, no body where none is read, and headers for all."""
    hosts = request.headers.getall("Host", [])
    if len(hosts) != 1 or not HOST_TEXT.fullmatch(hosts[0]):
        response: web.StreamResponse = web.Response(status=400, text="one plain Host is needed\n")
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
    except web.HTTPException as error:
        return web.Response(status=error.status, text=f"{error.reason}\n", headers=_allow(error))


def _allow(error: web.HTTPException) -> dict[str, str]:
    allow = error.headers.get("Allow")
    return {} if allow is None else {"Allow": allow}
