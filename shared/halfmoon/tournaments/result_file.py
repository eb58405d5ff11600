"""A result file: a whole tournament with every race of it, signed; what `halfmoon verify` checks.

The log's lines are chained: each holds the SHA-256 of the hash before it and of the line itself, as
canonical JSON (sorted keys, no blanks, UTF-8), the first one's hash before it being 64 zeros. `hash`
is the SHA-256 of the canonical JSON of the whole file without `hash` and `signature`, and the
signature (Ed25519, base64) is of that hash's 32 bytes.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from halfmoon.engine.errors import RecordFault
from halfmoon.engine.record import RaceRecord
from halfmoon.engine.standings import Standing
from halfmoon.tournaments.rounds import Heat, Line, Round, ranked
from halfmoon.tournaments.table import Person, table
from halfmoon.wire.fields import Moment
from halfmoon.wire.tournaments import HeatLine, HeatResult, LogLine, Standings, TournamentState

FORMAT: Final = "halfmoon-result/1"
NO_HASH = "0" * 64

_MODEL = ConfigDict(defer_build=True, frozen=True, strict=True)


class ChainedLine(LogLine):
    """A line of the log, and the hash that it adds to the chain."""

    hash: str


class SeatedHeat(BaseModel):
    """Who sat where in a heat: entrant to player."""

    model_config = _MODEL

    race: str
    seats: dict[str, str]


class ResultFile(BaseModel):
    """Everything about a tournament."""

    model_config = _MODEL

    format: Literal["halfmoon-result/1"] = FORMAT
    made_at: Moment
    tournament: TournamentState
    standings: Standings
    heats: list[SeatedHeat]
    races: list[RaceRecord]
    log: list[ChainedLine]
    public_key: str
    """The server's, base64."""
    hash: str = ""
    signature: str = ""


def canonical(value: Any) -> bytes:
    """The one text of a JSON value."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def chained(lines: list[LogLine]) -> Iterator[ChainedLine]:
    """The lines with their hashes."""
    before = NO_HASH
    for line in lines:
        before = _link(before, line)
        yield ChainedLine(**dict(line), hash=before)


def _link(before: str, line: LogLine) -> str:
    said = line.model_dump(mode="json", by_alias=True, exclude={"hash"})
    return hashlib.sha256(before.encode() + canonical(said)).hexdigest()


def digest(whole: Mapping[str, Any]) -> bytes:
    """What is signed, of the file as JSON."""
    rest = {key: value for key, value in whole.items() if key not in ("hash", "signature")}
    return hashlib.sha256(canonical(rest)).digest()


def is_result_file(text: bytes) -> bool:
    """Whether this is meant to be one, right or wrong."""
    if FORMAT.partition("/")[0].encode() not in text:
        return False
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and str(raw.get("format")).startswith("halfmoon-result/")  # pyright: ignore[reportUnknownMemberType,reportUnknownArgumentType]


def verify(text: bytes) -> ResultFile:
    """Check everything that the file says; raises `RecordFault` with the first fault."""
    try:
        raw = json.loads(text)
        file = ResultFile.model_validate_json(text)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise RecordFault(f"{place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise RecordFault("this is no JSON") from None
    _check_signature(file, digest(raw))
    _check_chain(file)
    _check_races(file)
    _check_corrections(file)
    _check_table(file)
    return file


def _check_signature(file: ResultFile, signed: bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only this needs it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )

    if file.hash != signed.hex():
        raise RecordFault("hash: the file isn't what was signed")
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(file.public_key, validate=True))
        key.verify(base64.b64decode(file.signature, validate=True), signed)
    except (InvalidSignature, ValueError):
        raise RecordFault("signature: it isn't that of the key in the file") from None


def fingerprint(public_key: str) -> str:
    """A key as people compare it: 16 hex digits of its SHA-256."""
    return hashlib.sha256(public_key.encode()).hexdigest()[:16]


def _check_chain(file: ResultFile) -> None:
    before = NO_HASH
    for line in file.log:
        before = _link(before, line)
        if line.hash != before:
            raise RecordFault(f"log: line {line.seq} doesn't fit the one before it")


# Races


def _check_races(file: ResultFile) -> None:
    records = {record.race: record for record in file.races}
    seats = {heat.race: heat.seats for heat in file.heats}
    for heat in file.tournament.heats:
        place = f"round {heat.round}, heat {heat.heat}"
        if heat.results is None:
            raise RecordFault(f"{place}: it isn't over")
        if not heat.results:
            continue
        race = heat.results[0].race
        record = records.get(race)
        if record is None or race not in seats:
            raise RecordFault(f"{place}: the record of {race} is missing")
        _check_heat(heat, record, seats[race], place)


def _check_heat(heat: HeatLine, record: RaceRecord, seats: Mapping[str, str], place: str) -> None:
    try:
        record.verify()
    except RecordFault as fault:
        raise RecordFault(f"{place}: {fault}") from None
    if record.seal != heat.seal or record.room != heat.room:
        raise RecordFault(f"{place}: the record is another race's")
    results = {result.entrant: result for result in heat.results or ()}
    if {*seats.values()} != {line.player for line in record.standings} or {*seats} != {*results}:
        raise RecordFault(f"{place}: the results aren't those of who raced")
    lines = {line.player: line for line in record.standings}
    for entrant, result in results.items():
        if _as_raced(result) != _of(lines[seats[entrant]]):
            raise RecordFault(f"{place}: the result of {entrant} isn't what was raced")
    ranks = {line.entrant: rank for rank, line in ranked(map(_line, results.values()))}
    if ranks != {entrant: result.rank for entrant, result in results.items()}:
        raise RecordFault(f"{place}: the ranks don't follow from the results")


def _as_raced(result: HeatResult) -> tuple[Any, ...]:
    values = result.raw or result
    return values.status, values.best, values.time_ms, result.moves, result.actions


def _of(line: Standing) -> tuple[Any, ...]:
    return line.status, line.best, line.time_ms, line.moves, line.actions


def _line(result: HeatResult) -> Line:
    return Line(result.entrant, result.status, result.best, result.time_ms, result.actions)


def _check_corrections(file: ResultFile) -> None:
    logged = {
        (line.round, line.entrant, line.reason)
        for line in file.log
        if line.what == "result_corrected"
    }
    for heat in file.tournament.heats:
        for result in heat.results or ():
            if result.raw is not None and (heat.round, result.entrant, result.reason) not in logged:
                raise RecordFault(f"round {heat.round}: nobody corrected {result.entrant}")


# The table


def rounds_of(state: TournamentState) -> list[Round]:
    """The rounds of a state that are over and count, as tables need them."""
    annulled = {one.round for one in state.annulled}
    rounds: list[Round] = []
    for number in range(1, state.round + 1):
        heats = [heat for heat in state.heats if heat.round == number]
        if number in annulled or any(heat.results is None for heat in heats):
            continue
        raced = tuple(
            Heat(tuple(heat.entrants), tuple(map(_line, heat.results or ()))) for heat in heats
        )
        byes = tuple(bye.entrant for bye in state.byes if bye.round == number)
        rounds.append(Round(number, raced, byes))
    return rounds


def table_of(state: TournamentState) -> Standings:
    """The table that follows from a state."""
    people = [
        Person(one.entrant, one.name, one.active)
        for one in sorted(state.entrants, key=lambda one: one.seed)
    ]
    return table(state.format, people, rounds_of(state))


def _check_table(file: ResultFile) -> None:
    recomputed = table_of(file.tournament)
    if recomputed.rule != file.standings.rule:
        raise RecordFault("standings: the rule is another")
    for row, told in zip(recomputed.rows, file.standings.rows, strict=False):
        if row != told:
            raise RecordFault(f"standings: the row of {told.name} isn't {row.rank} {row.name}")
    if len(recomputed.rows) != len(file.standings.rows):
        raise RecordFault("standings: somebody is missing, or there twice")
