"""The verb `tournament`: a whole one by script, and every refusal in one line."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from halfmoon.cli import main
from halfmoon_client.tournament_cli import VARIABLE
from halfmoon_server.settings import Settings
from halfmoon_testing.driver import Driver, drivers
from halfmoon_testing.organiser import KEY, Organiser
from halfmoon_testing.server import UNHURRIED, InProcess, in_process


@pytest_asyncio.fixture
async def hall() -> AsyncIterator[InProcess]:
    async with in_process(Settings(limits=UNHURRIED, organiser_key=KEY)) as running:
        yield running


class Script:
    """A shell that runs the verb against one server."""

    def __init__(
        self, hall: InProcess, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self.hall = hall
        self.capsys = capsys
        self.patch = patch
        self.device = ""

    async def run(self, *arguments: str, typed: str = "") -> tuple[int, str, str]:
        self.patch.setattr("sys.stdin", io.StringIO(typed))
        line = ["tournament", "--server", self.hall.http, *arguments]
        if self.device:
            line[1:1] = ["--device", self.device]
        status = await asyncio.to_thread(main, line)
        out, err = self.capsys.readouterr()
        return status, out, err

    async def done(self, *arguments: str, typed: str = "") -> str:
        status, out, err = await self.run(*arguments, typed=typed)
        assert (status, err) == (0, "")
        return out


@pytest.fixture
def script(
    hall: InProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Script:
    monkeypatch.setenv(VARIABLE, KEY)
    return Script(hall, capsys, monkeypatch)


async def test_a_script_runs_a_tournament(script: Script, tmp_path: Path) -> None:
    made = await script.done(
        "create", "Club", "--format", "swiss", "--rounds", "1", "--minutes", "0.02",
        "--countdown-s", "0",
    )  # fmt: skip
    t = made.strip()
    script.device = "Zoë"
    entries = await script.done("entrants", t, typed="Ann\nŐrsi\n\nBen\n")
    assert [line.split("\t")[0] for line in entries.splitlines()] == ["Ann", "Őrsi", "Ben"]
    status, drawn, warning = await script.run("round", t, "--at-least", "1")
    assert (status, drawn) == (1, "")
    assert "0 of 3 have come in: no round was drawn" in warning
    status, drawn, warning = await script.run("round", t, "--without-absent")
    assert (status, drawn) == (1, "")
    assert "too few entrants" in warning
    status, drawn, warning = await script.run("round", t)
    assert (status, warning.count("\n")) == (0, 1)
    assert warning.startswith("0 of 3 have come in")
    assert drawn.splitlines()[0] == "Round 1"
    assert drawn.splitlines()[-1] == "bye\t\tBen"
    async with Organiser(script.hall, tournament=t) as organiser:
        await organiser.until("over")
        log = (await organiser.get("/log"))["log"]
    devices = [line["device"] for line in log if line["by"] == "organiser"]
    assert devices == ["script", "Zoë", "Zoë"]
    assert "1\tBen\t1" in await script.done("standings", t)
    assert (await script.done("standings", t, "--csv")).startswith("\ufeffrank,")
    assert json.loads(await script.done("export", t))["tournament"]["state"] == "over"
    path = tmp_path / "result.json"
    path.write_text(await script.done("export", t, "--result"))
    assert main(["verify", str(path)]) == 0


async def test_a_script_ends_a_round_before_its_time(script: Script) -> None:
    t = (await script.done("create", "Club", "--rounds", "1", "--countdown-s", "0")).strip()
    entries = (await script.done("entrants", t, typed="Ann\nBen\n")).splitlines()
    ann = await Driver.enter(script.hall.ws, "Ann")
    async with drivers(ann), Organiser(script.hall, tournament=t) as organiser:
        await ann.done("enter", tournament=t, claim=entries[0].partition("\t")[2])
        _, _, warning = await script.run("round", t)
        assert warning.startswith("1 of 2 have come in")
        await ann.until("started")
        assert await script.done("end-round", t, "the bell rings") == ""
        state = await organiser.until("over")
        assert state["ended_early"][0]["reason"] == "the bell rings"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("round", "AAAAA"), "no such tournament"),
        (("create", ""), "name"),
        (("create", "x", "--format", "knockout", "--rounds", "3"), "rounds"),
        (("entrants", "AAAAA"), "no names"),
    ],
)
async def test_a_refusal_is_one_line(
    script: Script, arguments: tuple[str, ...], fault: str
) -> None:
    status, out, err = await script.run(*arguments)
    assert (status, out) == (1, "")
    assert fault in err
    assert err.count("\n") == 1


async def test_a_missing_key_and_a_missing_server_are_told(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    status, _, err = await script.run("create", "x")
    assert status == 1
    assert VARIABLE in err
    script.hall.port = 1
    status, _, err = await script.run("create", "x")
    assert status == 1
    assert "can't be asked" in err
