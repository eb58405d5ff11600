"""The page's files: below a hash of all of them, for ever, and in few bytes."""

import gzip
import re

from aiohttp import web

from halfmoon_server.app import make_app
from halfmoon_server.lan import reachable
from halfmoon_server.pages import packaged_pages
from halfmoon_server.qr import drawn
from halfmoon_server.settings import Settings


def test_every_file_names_the_others_below_the_hash_of_all() -> None:
    version, pages = packaged_pages()
    links = [
        link
        for page in pages.values()
        for link in re.findall(rb'"(/static/[^"]*)"', page.body)
        if page.content_type == "text/html"
    ]
    assert links
    for link in links:
        name = link.decode().removeprefix(f"/static/{version}/")
        assert name in pages, link


def test_what_is_compressed_is_the_same_file() -> None:
    for page in packaged_pages()[1].values():
        assert gzip.decompress(page.compressed) == page.body


def test_the_whole_first_page_is_small() -> None:
    """All that the first screen could need, compressed: under 150 kB."""
    version, pages = packaged_pages()
    named = re.findall(rf"/static/{version}/([^\"]+)".encode(), pages["index.html"].body)
    wanted = {"index.html", *(name.decode() for name in named)}
    sizes = [min(len(pages[name].compressed), len(pages[name].body)) for name in wanted]
    assert sum(sizes) < 150_000
    assert len([name for name in wanted if name.endswith((".js", ".css"))]) == 4, "few requests"


def test_a_phone_is_sent_to_the_address_that_it_can_reach() -> None:
    assert reachable("192.168.1.5:8080", "0.0.0.0") == "192.168.1.5:8080"
    assert reachable("halfmoon.example", "127.0.0.1") == "halfmoon.example"
    assert reachable("127.0.0.1:8080", "127.0.0.1") == "127.0.0.1:8080", "nobody else can"
    elsewhere = reachable("localhost:8080", "0.0.0.0")
    assert elsewhere.endswith(":8080")


def test_a_qr_code_is_a_small_drawing() -> None:
    drawing = drawn("http://192.168.1.5:8080/r/K7M2P").decode()
    assert drawing.startswith("<svg ")
    assert "<script" not in drawing
    assert drawing != drawn("http://192.168.1.5:8080/r/K7M2Q").decode()


def test_the_application_has_no_path_into_a_folder() -> None:
    app: web.Application = make_app(Settings(port=0))
    assert not [route for route in app.router.resources() if isinstance(route, web.StaticResource)]
