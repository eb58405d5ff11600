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


def small(*names: str) -> int:
    """What these files are on the line, compressed."""
    _, pages = packaged_pages()
    return sum(min(len(pages[name].compressed), len(pages[name].body)) for name in names)


def test_the_first_screen_comes_in_two_round_trips_and_few_bytes() -> None:
    """The page, then one sheet and one module; the rest is asked for by that module."""
    version, pages = packaged_pages()
    named = re.findall(rf"/static/{version}/([^\"]+)".encode(), pages["index.html"].body)
    wanted = {name.decode() for name in named if name.endswith((b".js", b".css"))}
    assert wanted == {"css/tokens.css", "css/race.css", "js/main.js"}
    waited_for = {"css/tokens.css", "js/main.js"}
    assert small("index.html", *waited_for) < 16_000
    assert not re.search(r"^import ", pages["js/main.js"].body.decode(), re.MULTILINE)


def test_the_whole_first_page_is_small() -> None:
    """All that a race could need, compressed: under 150 kB."""
    version, pages = packaged_pages()
    named = re.findall(rf"/static/{version}/([^\"]+)".encode(), pages["index.html"].body)
    wanted = {"index.html", "js/rest.js", "js/app.js", *(name.decode() for name in named)}
    assert small(*wanted) < 150_000


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
