"""Result files of tournaments: put together from the logs, and signed."""

import json
from typing import Any

from halfmoon.engine.record import RaceRecord
from halfmoon.tournaments.result_file import ResultFile, SeatedHeat, chained, digest
from halfmoon_server.eventlog.base import EventLog
from halfmoon_server.hosting.tournament_host import TournamentHost
from halfmoon_server.records import find_record
from halfmoon_server.signing import SigningKey
from halfmoon_server.tournaments import views, words


class RaceGone(Exception):
    """The log of this race is kept no longer, and no result file can be made."""


async def result_file(
    host: TournamentHost, event_log: EventLog, key: SigningKey, now: int
) -> dict[str, Any]:
    """The whole file as JSON. Raises `LogUnavailable` and `RaceGone`."""
    t, events = host.t, [*host.events]
    heats = [heat for one in t.rounds for heat in one.heats if heat.seats]
    races = [await _record(event_log, heat.race) for heat in heats]
    file = ResultFile(
        made_at=now,
        tournament=views.state(t, (), now),
        standings=views.standings(t),
        heats=[SeatedHeat(race=heat.race, seats=dict(heat.seats)) for heat in heats],
        races=races,
        log=[*chained([*words.log_lines(events)])],
        public_key=key.public,
    )
    whole: dict[str, Any] = file.model_dump(mode="json", by_alias=True)
    signed = digest(whole)
    return whole | {"hash": signed.hex(), "signature": key.sign(signed)}


async def _record(event_log: EventLog, race: str) -> RaceRecord:
    found = await find_record(event_log, race)
    if found is None:
        raise RaceGone(race)
    return found.record


def json_bytes(value: dict[str, Any]) -> bytes:
    """The value as a file that people can read as well."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
