"""Whole tournaments without a server: requests decided and evolved, results drawn by lot."""

from __future__ import annotations

import json
import random
from itertools import count
from typing import Any

from halfmoon.engine.codes import Code, Variant
from halfmoon.engine.standings import FinalStatus
from halfmoon.wire.options import RoomOptions
from halfmoon.wire.tournaments import EntryKind, Format
from halfmoon_server.tournaments import commands as q
from halfmoon_server.tournaments import events as e
from halfmoon_server.tournaments import views
from halfmoon_server.tournaments.decide import decide
from halfmoon_server.tournaments.drawing import most_heats
from halfmoon_server.tournaments.evolve import create, evolve
from halfmoon_server.tournaments.state import Heat, Round, Tournament

STATUSES: tuple[FinalStatus, ...] = ("retired", "timed_out", "deadlocked")


class Play:
    """One tournament, its events, and the lot that its results are drawn by."""

    def __init__(
        self,
        kind: Format = "series",
        *,
        rounds: int | None = 5,
        entry: EntryKind = "list",
        heat_size: int | None = None,
        seed: int = 1,
    ) -> None:
        self.now = 1_000_000
        self.lot = random.Random(seed)
        self._numbers = count(1)
        made = e.TournamentMade(
            at=self.now,
            by="organiser",
            tournament="T4KQ9",
            name="Club evening",
            format=kind,
            rounds=None if kind == "knockout" else rounds,
            options=RoomOptions(),
            heat_size=heat_size,
            entry=entry,
        )
        self.events: list[e.Event] = [made]
        self.t: Tournament = create(made)

    def chance(self) -> q.Chance:
        """Values that differ every time."""
        number = next(self._numbers)
        ids = [f"{number}-{one}" for one in range(max(1, most_heats(self.t)))]
        code = Code.from_number(Variant.SEALED, number)
        return q.Chance(code, [f"room{one}" for one in ids], [f"r_{one}" for one in ids], ids)

    def ask(self, request: q.Request) -> tuple[e.Event, ...]:
        """Ask, and expect that it is done; the events."""
        self.now += 1000
        outcome = decide(self.t, request, self.now)
        assert not isinstance(outcome, q.Refusal), outcome
        for event in outcome:
            self.t = evolve(self.t, event)
        self.events += outcome
        return outcome

    def refused(self, request: q.Request) -> str:
        """Ask, and expect a refusal; its code."""
        outcome = decide(self.t, request, self.now)
        assert isinstance(outcome, q.Refusal), outcome
        return outcome.code

    def add(self, number: int, *, absent: int = 0) -> list[str]:
        """So many entrants, of whom the last few don't come."""
        first = len(self.t.entrants)
        names = [f"N{first + one}" for one in range(number)]
        chance = q.Chance(self.chance().code, [], [], [f"claim {name}" for name in names])
        self.ask(q.AddEntrants(names, chance))
        new = list(self.t.entrants)[first:]
        for entrant in new[: number - absent]:
            self.take(entrant)
        return new

    def take(self, entrant: str) -> None:
        """The person of this entry comes."""
        claim = self.t.entrants[entrant].claim
        self.ask(q.Enter(f"p_{entrant}", "?", claim, self.chance()))

    def draw(self) -> Round:
        """The next round."""
        self.ask(q.DrawRound(self.chance()))
        assert self.t.current is not None
        return self.t.current

    def race(self, *, equal: float = 0.1) -> None:
        """Let every heat that runs come to its end, further heats too."""
        while (one := self.t.running) is not None:
            for heat in one.heats:
                if not heat.is_over:
                    self.finish(one.round, heat, self.results(heat, equal))

    def finish(self, number: int, heat: Heat, lines: list[e.RacedLine]) -> None:
        """Let a heat be over with these results."""
        self.ask(q.FinishHeat(number, heat.heat, self.now, lines, self.chance()))

    def results(self, heat: Heat, equal: float = 0.1) -> list[e.RacedLine]:
        """Results by lot for all who are there; some of them exactly equal."""
        lines: list[e.RacedLine] = []
        for entrant in heat.seats:
            if lines and self.lot.random() < equal:
                lines.append(lines[-1].model_copy(update={"entrant": entrant}))
                continue
            won = self.lot.random() < 0.1
            best = 520 if won else 10 * self.lot.randrange(52)
            lines.append(
                e.RacedLine(
                    entrant=entrant,
                    status="won" if won else self.lot.choice(STATUSES),
                    best=best,
                    moves=best // 10,
                    actions=best // 10 + self.lot.randrange(3),
                    time_ms=self.lot.randrange(900) * 1000 if best else 0,
                )
            )
        return lines

    def play(self, rounds: int = 1) -> None:
        """So many rounds, from the draw to the end."""
        for _ in range(rounds):
            self.draw()
            self.race()

    def state(self) -> dict[str, Any]:
        """The state as everybody is told it."""
        told = views.state(self.t, (), self.now).model_dump_json(by_alias=True)
        said: dict[str, Any] = json.loads(told)
        return said

    def rows(self) -> list[dict[str, Any]]:
        """The table as everybody is told it."""
        said: list[dict[str, Any]] = json.loads(views.standings(self.t).model_dump_json())["rows"]
        return said
