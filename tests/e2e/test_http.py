"""What the server says over HTTP: pages, rooms, records, figures, documents; and what it refuses."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from halfmoon_testing.asyncapi import validate_asyncapi
from halfmoon_testing.challenges import asked
from halfmoon_testing.driver import Driver, drivers, line_up, start_race
from halfmoon_testing.server import InProcess, get_json, get_text, server_process
from halfmoon_testing.solver import WINNABLE_CODE, winning_line
from halfmoon_testing.wsraw import Answer, Raw

LINE = winning_line()
LONG = bool(os.environ.get("HALFMOON_LONG"))
SAFE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


async def get(server: InProcess, path: str, *headers: str, method: str = "GET") -> Answer:
    async with await Raw.open(server.port) as raw:
        return await raw.get(path, *headers, method=method)


def told(answer: Answer) -> tuple[int, dict[str, str], bytes]:
    """All of an answer but its date."""
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status, headers, answer.body


# Health and figures


async def test_health(server: InProcess) -> None:
    assert await get_json(server, "/healthz") == {"status": "ok"}


async def test_the_metrics_have_the_figures_and_nothing_of_anybody(server: InProcess) -> None:
    ann, bob = await line_up(server.ws, ["Ann Nymous", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        for turn in range(3):
            await ann.move(turn, LINE[turn])
        await ann.refused("move", turn=0, spots=LINE[0])
        await ann.refused("move", turn=3, spots=["1", "1"])
        text = await get_text(server, "/metrics")
        figures = dict(
            line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#")
        )
        assert float(figures["halfmoon_rooms"]) == 1
        assert float(figures["halfmoon_connections"]) == 2
        assert float(figures["halfmoon_moves_total"]) == 3
        assert float(figures['halfmoon_refusals_total{code="stale_turn"}']) == 1
        assert float(figures['halfmoon_refusals_total{code="illegal_move"}']) == 1
        assert float(figures["halfmoon_log_commit_seconds_count"]) > 3
        assert "halfmoon_loop_lag_seconds_count" in figures
        for secret in (ann.room, ann.player, ann.token, "Nymous", WINNABLE_CODE, LINE[0][0] + '"'):
            assert secret not in text, secret
    gone = await get_text(server, "/metrics")
    assert "halfmoon_connections 0.0" in gone


# Rooms


async def test_public_rooms_are_listed_newest_first_and_nothing_else_is(
    server: InProcess,
) -> None:
    ann, bob, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob", "Eve")]
    async with drivers(ann, bob, eve):
        hidden = (await ann.create())["room"]
        first = (await ann.create(public=True, max_players=3, code=WINNABLE_CODE))["room"]
        await bob.join(first)
        await eve.join(first, "spectator")
        second = (await bob.create(public=True))["room"]
        rooms = (await get_json(server, "/api/rooms"))["rooms"]
        assert [room["room"] for room in rooms] == [second, first]
        assert rooms[1] == {
            "room": first,
            "state": "lobby",
            "host_name": "Ann",
            "players": 2,
            "max_players": 3,
            "spectators": 1,
            "options": (await ann.join(first))["options"],
        }
        assert hidden not in json.dumps(rooms)
        ann.room = first
        await ann.done("set_options", options={"public": False})
        listed = await get_json(server, "/api/rooms")
        assert [room["room"] for room in listed["rooms"]] == [second]
        # Asking after a room that isn't public doesn't tell whether it is there.
        for after in (hidden, first, "22222", "", "%00", "x" * 500):
            answer = await get(server, f"/api/rooms?after={after}")
            assert (answer.status, json.loads(answer.body)["error"]) == (404, "unknown_room")


async def test_a_link_tells_whose_room_it_is_before_one_comes_in(server: InProcess) -> None:
    ann, bob, eve = [await Driver.enter(server.ws, name) for name in ("Ann", "Bob", "Eve")]
    async with drivers(ann, bob, eve):
        room = (await ann.create(spectators="none", countdown_ms=0))["room"]
        await bob.join(room)
        seen: dict[str, object] = {
            "room": room,
            "state": "lobby",
            "host_name": "Ann",
            "players": 2,
            "max_players": 16,
            "spectators": 0,
            "watching": "none",
        }
        assert await get_json(server, f"/api/rooms/{room.lower()}") == seen
        for who, more in ((bob, {"you": "player"}), (eve, {})):
            assert await asked(server, f"/api/rooms/{room}", who) == seen | more
        ann.room = room
        await ann.done("kick", player=bob.player)
        out = await asked(server, f"/api/rooms/{room}", bob)
        assert out == seen | {"players": 1, "bar": "put_out"}
        await ann.done("set_ready", ready=True)
        await ann.done("start")
        started = await ann.until("started")
        racing = {"state": "racing", "players": 1}
        racing |= {key: started[key] for key in ("starts_at", "ends_at")}
        assert await get_json(server, f"/api/rooms/{room}") == seen | racing
        for other in ("22222", "nothing", "%00"):
            answer = await get(server, f"/api/rooms/{other}")
            assert (answer.status, json.loads(answer.body)["error"]) == (404, "unknown_room")


async def test_rooms_come_a_hundred_at_a_time(server: InProcess) -> None:
    """X24."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann):
        count = 5000 if LONG else 230
        made = [(await ann.create(public=True))["room"] for _ in range(count)][::-1]
        found: list[str] = []
        path = "/api/rooms"
        while True:
            page = [room["room"] for room in (await get_json(server, path))["rooms"]]
            if not page:
                break
            assert len(page) == min(100, count - len(found))
            found += page
            path = f"/api/rooms?after={page[-1].lower()}"
        # Rooms of one millisecond may stand in any order among themselves, but each stands once.
        assert sorted(found) == sorted(made)
        assert found[0] == made[0] or made[0] in found[:5]


# Records


async def test_a_race_that_is_not_over_is_like_one_that_never_was(server: InProcess) -> None:
    """B47: the same bytes, and nothing in them of what was asked for."""
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        race = ann.of("started")[0]["race"]
        await ann.done("retire")  # one is done, the other isn't
        running = await get(server, f"/api/races/{race}")
        assert running.status == 404
        for never in (
            race[:-1] + ("0" if race[-1] != "0" else "1"),
            "x",
            ann.room,
            "%2e%2e",
            "%C3%A9",
            "%00",
        ):
            assert told(await get(server, f"/api/races/{never}")) == told(running)
        await bob.done("retire")
        await bob.until("over")
        record = await get_json(server, f"/api/races/{race}")
        assert list(record) == [
            "race",
            "room",
            "code",
            "seal",
            "options",
            "starts_at",
            "over_at",
            "players",
            "standings",
        ]
        assert "token" not in json.dumps(record)


# Documents


async def test_the_documents_are_valid_and_every_message_fits_them(server: InProcess) -> None:
    schema = await get_json(server, "/api/schema")
    Draft202012Validator.check_schema(schema)
    validate_asyncapi(await get_json(server, "/api/asyncapi"))
    OpenAPIV31SpecValidator(await get_json(server, "/api/openapi")).validate()
    ann, bob = await line_up(server.ws, ["Ann", "Bob"], code=WINNABLE_CODE, countdown_ms=0)
    async with drivers(ann, bob):
        await start_race([ann, bob])
        await ann.move(0, LINE[0])
        await ann.done("undo", turn=1)
        await ann.refused("undo", turn=1)
        await ann.refused("undo", turn=2)
        await ann.refused("move", turn=2, spots=["1"])
        await ann.done("join_room")
        for player in (ann, bob):
            await player.done("retire")
        await ann.until("over")
        await ann.done("rematch")
        await ann.until("lobby")
        await ann.done("set_options", options={"code": None})
        await ann.until("options")
        await bob.done("leave_room")
        await ann.quiet()
        heard = ann.heard + bob.heard
        kinds = {message["type"] for message in heard}
        assert len(kinds) >= 16, kinds
        definitions = schema["$defs"]
        for message in heard:
            (name,) = [
                name
                for name, one in definitions.items()
                if one.get("properties", {}).get("type", {}).get("const") == message["type"]
                and "message" in where(schema, name)
            ] or [""]
            assert name, message["type"]
            Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{name}"}]}).validate(
                message
            )


def where(schema: dict[str, Any], name: str) -> str:
    """Whether a definition is one of a client's commands or of the server's messages."""
    text = json.dumps(schema["$defs"].get("Command", schema))
    return "command" if f'"#/$defs/{name}"' in text else "message"


# Headers, pages, files


async def test_every_answer_has_the_safe_headers(server: InProcess) -> None:
    for path in (
        "/",
        "/r/ABCDE",
        "/r/ABCDE/wall",
        "/r/ABCDE/overlay",
        "/race/r_1",
        "/replay",
        "/deal/HM1-N-AAAAAAB",
        "/me",
        "/daily",
        "/c/ABCDEFGHJKMN",
        "/healthz",
        "/metrics",
        "/api/rooms",
        "/api/races/x",
        "/api/schema",
        "/api/nothing",
        "/static/nothing.js",
        "/nothing",
        "/ws",
        "/%00",
    ):
        for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS"):
            answer = await get(server, path, "Origin: https://evil.example", method=method)
            assert SAFE.items() <= answer.headers.items(), (method, path, answer)
            assert "access-control-allow-origin" not in answer.headers
            assert "set-cookie" not in answer.headers
            assert answer.status < 500


async def test_what_may_change_is_not_stored(server: InProcess) -> None:
    for path in ("/healthz", "/metrics", "/api/rooms", "/api/races/x"):
        assert (await get(server, path)).headers["cache-control"] == "no-store", path


async def test_the_page_allows_itself_and_its_own_socket_only(server: InProcess) -> None:
    for path in ("/", "/r/ABCDE"):
        answer = await get(server, path)
        if answer.status == 404:
            pytest.skip("there is no page yet")
        parts = answer.headers["content-security-policy"].split(";")
        policy = {words[0]: words[1:] for words in map(str.split, parts)}
        host = f"127.0.0.1:{server.port}"
        assert policy["default-src"] == ["'none'"]
        assert policy["script-src"] == policy["style-src"] == ["'self'"]
        assert policy["connect-src"] == ["'self'", f"ws://{host}", f"wss://{host}"]
        assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
        page = answer.body.decode()
        assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
        assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>\s*\S", page)
        assert not re.search(r"\son\w+=|\sstyle=|<style", page)


async def test_the_page_is_the_same_whether_there_is_such_a_room(server: InProcess) -> None:
    """B47: for a private room and for none."""
    ann = await Driver.enter(server.ws, "Ann")
    async with drivers(ann):
        await ann.create()
        assert told(await get(server, f"/r/{ann.room}")) == told(await get(server, "/r/22222"))


async def static_path(server: InProcess) -> str:
    """A file that the page asks for."""
    page = (await get(server, "/")).body.decode()
    found = re.search(r'"(/static/[^"]+)"', page)
    if found is None:
        pytest.skip("there is no page yet")
    return found[1]


async def test_a_file_that_has_not_changed_is_304(server: InProcess) -> None:
    path = await static_path(server)
    first = await get(server, path)
    tag = first.headers["etag"]
    for match in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = await get(server, path, f"If-None-Match: {match}")
        if match == "*" and again.status == 200:
            continue  # nobody asks so for a file
        assert (again.status, again.body) == (304, b""), match
        assert again.headers["etag"] == tag
    for match in ('"other"', "", "rubbish", '"'):
        assert (await get(server, path, f"If-None-Match: {match}")).body == first.body


async def test_head_is_get_without_the_body(server: InProcess) -> None:
    for path in ("/", await static_path(server), "/healthz", "/api/rooms", "/nothing"):
        whole, head = await get(server, path), await get(server, path, method="HEAD")
        assert (head.status, head.body) == (whole.status, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.headers.get("etag") == whole.headers.get("etag")


async def test_an_address_without_a_page_is_404_and_leads_a_reader_on(server: InProcess) -> None:
    page = await get(server, "/nosuch", "Accept: text/html,*/*;q=0.8")
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"<main" in page.body
    etag = (await get(server, "/")).headers["etag"]
    known = await get(server, "/nosuch", "Accept: text/html", f"If-None-Match: {etag}")
    assert known.status == 404, "what isn't there is never unchanged"
    assert "content-security-policy" in page.headers
    picture = await get(server, "/nosuch.png", "Accept: image/*")
    assert (picture.status, picture.body) == (404, b"there is no such page\n")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/../../pyproject.toml",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static/..%2f..%2fpyproject.toml",
        "/static/%2e%2e%2fpages.py",
        "/static/..%252f..%252fpyproject.toml",
        "/static/..\\..\\pyproject.toml",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/js/../../../../../../../../etc/passwd",
        "/static/__init__.py",
        "/static/py.typed",
        "/static/js/messages.d.ts",
        "/static/js",
        "/static/js/",
        "/static/",
        "/static",
        "/static/index.html%00.js",
        "/static/INDEX.HTML",
        "/static/.git/config",
        "/r/",
        "/r/ABCDE/x",
        "/r/ABCDE/wall/x",
        "/wall",
        "/../etc/passwd",
        "//etc/passwd",
        "/api/../etc/passwd",
        "/api/races/../../etc/passwd",
        "/%2e%2e/etc/passwd",
    ],
)
async def test_nothing_but_the_table_is_served(server: InProcess, path: str) -> None:
    answer = await get(server, path)
    assert answer.status in (400, 404), answer
    assert b"root:" not in answer.body
    assert b"project" not in answer.body
    assert len(answer.body) < 200


async def test_missing_files_are_all_alike(server: InProcess) -> None:
    """CVE-2025-69226: whether there is something outside doesn't show."""
    answers = [
        told(await get(server, path))
        for path in ("/static/x.js", "/static/%2fetc/passwd", "/static/%2fetc/none", "/static/a/b")
    ]
    assert all(answer == answers[0] for answer in answers)


# What is no request


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello",
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n A: folded\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 20_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 1000 + b"Host: x\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET\x0b/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\r\n" * 1000,
    ],
    ids=lambda request: request[:60].decode("latin-1").encode("unicode_escape").decode(),
)
async def test_a_request_that_is_none_is_refused_and_let_go(
    server: InProcess, request_: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with await Raw.open(server.port) as raw:
        raw.send(request_)
        if request_.strip():
            assert (await raw.answer()).status in (400, 414, 431, 505)
        else:
            raw.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        await raw.end()
    assert "Traceback" not in caplog.text
    assert (await get_json(server, "/healthz"))["status"] == "ok"


async def test_a_get_with_a_body_is_answered_at_most_and_its_body_is_no_request(
    server: InProcess,
) -> None:
    async with await Raw.open(server.port) as raw:
        inner = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
        raw.send(
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(inner), inner
        )
        answer = await raw.answer()
        assert answer.status in (200, 400)
        assert b"halfmoon_" not in await raw.end()


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/rooms", "/static/x", "/r/ABCDE"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
async def test_other_methods_are_refused(server: InProcess, path: str, method: str) -> None:
    answer = await get(server, path, "Content-Length: 0", method=method)
    assert answer.status in (400, 405)
    assert b"Traceback" not in answer.body


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("DELETE", "/api/rooms", 405, "wrong_method"),
        ("OPTIONS", "/api/daily", 405, "wrong_method"),
        ("PUT", "/api/challenges", 405, "wrong_method"),
        ("GET", "/api/challenges", 405, "wrong_method"),
        ("PATCH", "/api/tournaments", 405, "wrong_method"),
        ("POST", "/api/races/r_1", 405, "wrong_method"),
        ("GET", "/api", 404, "unknown_path"),
        ("GET", "/api/", 404, "unknown_path"),
        ("GET", "/api/nothing/at/all", 404, "unknown_path"),
        ("POST", "/api/nothing", 404, "unknown_path"),
        ("OPTIONS", "/api/nothing", 404, "unknown_path"),
        ("GET", "/api/deals//results", 404, "unknown_path"),
        ("GET", "/api/deals/x/results", 400, "bad_request"),
        ("GET", "/api/races/", 404, "unknown_path"),
    ],
)
async def test_every_error_of_the_api_is_one_of_the_contract(
    server: InProcess, method: str, path: str, status: int, code: str
) -> None:
    answer = await get(server, path, "Content-Length: 0", method=method)
    assert answer.status == status
    assert answer.headers["content-type"].startswith("application/json")
    told = json.loads(answer.body)
    assert (told["error"], [*told]) == (code, ["error", "message"])
    assert ("allow" in answer.headers) == (status == 405)


async def test_heads_of_the_api_are_those_of_its_answers(server: InProcess) -> None:
    for path in ("/api/rooms", "/api/daily", "/api/races/x", "/api/nothing", "/api/challenges"):
        get_, head = [await get(server, path, method=method) for method in ("GET", "HEAD")]
        assert (head.status, head.body) == (get_.status, b"")
        for name in ("content-type", "cache-control", "etag", "allow", "content-length"):
            assert head.headers.get(name) == get_.headers.get(name), (path, name)


async def test_a_fault_of_ours_is_said_in_json_and_noted(
    server: InProcess, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.server.keeper, "today", None)
    answer = await get(server, "/api/daily")
    assert (answer.status, json.loads(answer.body)["error"]) == (500, "broken")
    assert (await get_json(server, "/healthz"))["status"] == "ok"


async def test_an_absolute_target_is_answered_by_its_path_alone(server: InProcess) -> None:
    async with await Raw.open(server.port) as raw:
        answer = await raw.request("GET http://evil.example/ HTTP/1.1", [f"Host: {raw.host}"])
        assert "evil" not in answer.headers.get("content-security-policy", "")
        assert b"evil" not in answer.body


async def test_the_log_has_no_query_and_no_path(tmp_path: Path) -> None:
    """X02: what stands in an address may be a secret."""
    async with server_process(tmp_path / "data") as server:
        async with await Raw.open(server.port) as raw:
            await raw.get("/api/rooms?after=SECRETQUERY")
            await raw.get("/r/SECRETROOM")
            await raw.upgrade({"Origin": "https://SECRETORIGIN.example"}, path="/ws?t=SECRETTOKEN")
        assert "SECRET" not in server.log()
        assert "SECRET" not in await get_text_of(server)


async def get_text_of(server: Any) -> str:
    return await get_text(server, "/metrics")
