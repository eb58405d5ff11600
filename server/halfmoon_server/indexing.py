"""What is found through a log, out of its entries alone: its keys and its results."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from halfmoon.engine.deals import Deal
from halfmoon_server.challenges import challenge, daily, seen
from halfmoon_server.eventlog.base import Key, LogDamaged, is_room
from halfmoon_server.eventlog.results import Result
from halfmoon_server.results import results_of
from halfmoon_server.rooms import events as e
from halfmoon_server.rooms.evolve import DealOf, create, evolve
from halfmoon_server.rooms.state import Room
from halfmoon_server.tournaments import events as tournament_events
from halfmoon_server.tournaments import evolve as tournaments
from halfmoon_server.tournaments import heats
from halfmoon_server.tournaments.state import Tournament


@dataclass(frozen=True, slots=True)
class Indexed:
    """What stands in the indexes for one log."""

    keys: Sequence[Key] = ()
    results: Sequence[Result] = ()


IndexOf = Callable[[str, Sequence[str]], Indexed]
"""From a log's name and entries to what the indexes hold of it; raises what a spoilt log makes its
readers raise."""

UNREADABLE = (ValueError, LookupError, AttributeError, AssertionError, LogDamaged)
"""What a log that something has spoilt makes its readers raise."""


def index_of(log: str, lines: Sequence[str]) -> Indexed:
    """What the indexes hold of this log."""
    if is_room(log):
        return _index_of_room([e.read_entry(line) for line in lines])
    kind = _KINDS.get(log.partition("/")[0])
    return Indexed() if kind is None else kind(log, lines)


def keys_of(entries: Iterable[e.Entry]) -> Iterable[Key]:
    """The keys that a room's log is given with these entries."""
    for entry in entries:
        # Of all that is answered by the room only what opens it is remembered.
        if entry.answer == "room" and entry.player is not None and entry.id is not None:
            yield create_key(entry.player, entry.id)
        for event in entry.events:
            if isinstance(event, e.CountdownStarted | e.HeatSeated):
                yield Key("race", event.race)
            elif isinstance(event, e.RoomCreated) and event.attempt is not None:
                yield claim_key(event.player, event.contest or "", event.attempt)
            elif isinstance(event, e.DealShown):
                for player in event.players:
                    yield seen.key_of(player, event.code)


def create_key(player: str, command: str) -> Key:
    """The key of the room that this player's `create_room` of this id opened."""
    return Key("create", f"{player} {command}")


def claim_key(player: str, contest: str, attempt: int) -> Key:
    """The key of the room of this number in which this player plays alone for this contest."""
    return Key("claim", f"{player} {contest} {attempt}")


def _index_of_challenge(_: str, lines: Sequence[str]) -> Indexed:
    return Indexed(challenge.keys_of(challenge.Challenge.model_validate_json(lines[0])))


def _index_of_day(_: str, lines: Sequence[str]) -> Indexed:
    return Indexed(daily.keys_of(daily.DailyDeal.model_validate_json(lines[0])))


def _index_of_reading(_: str, lines: Sequence[str]) -> Indexed:
    return Indexed(seen.keys_of(seen.Reading.model_validate_json(lines[0])))


def _index_of_tournament(_: str, lines: Sequence[str]) -> Indexed:
    """Nothing: a tournament is found by its log's name. But its log has to replay."""
    t: Tournament | None = None
    for event in (event for line in lines for event in tournament_events.read_entry(line).events):
        if t is None:
            assert isinstance(event, tournament_events.TournamentMade), "it begins with its making"
            t = tournaments.create(event)
        else:
            t = tournaments.evolve(t, event)
    return Indexed()


def _index_of_room(entries: Sequence[e.Entry], deal_of: DealOf = Deal.of) -> Indexed:
    room: Room | None = None
    results: list[Result] = []
    for event in (event for entry in entries for event in entry.events):
        if room is None:
            assert isinstance(event, e.RoomCreated), "a room begins with its creation"
            room = create(event)
            continue
        room = evolve(room, event, deal_of)
        if isinstance(event, e.RaceOver):
            results += results_of(room)
    return Indexed([*keys_of(entries)], results)


_KINDS: dict[str, IndexOf] = {
    challenge.KIND: _index_of_challenge,
    daily.KIND: _index_of_day,
    seen.KIND: _index_of_reading,
    heats.KIND: _index_of_tournament,
}
"""By what stands before the slash of a log's name; a kind that isn't named has no keys."""
