"""Race records, and their replay: what `halfmoon verify` checks (Contract §4)."""

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    FailFast,
    Field,
    SerializeAsAny,
    Tag,
    ValidationError,
)
from pydantic_core import from_json

from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.engine.draws import NONCE_BYTES, SECRET_BYTES, commit_of, drawn_code
from halfmoon.engine.errors import EXPLANATIONS, Reason, RecordFault
from halfmoon.engine.ghosts import GhostOf
from halfmoon.engine.options import RaceOptions
from halfmoon.engine.run import Run
from halfmoon.engine.standings import Finish, Standing, standings

_MODEL = ConfigDict(defer_build=True, frozen=True, strict=True)


def _only_true(value: Any) -> Any:
    if value is not True:
        raise ValueError("may only be true")
    return value


OnlyTrue = Annotated[Literal[True], BeforeValidator(_only_true)]
"""`true` and nothing else: a plain literal also takes the number 1."""

Moment = Annotated[int, Field(ge=0, le=2**53 - 1)]


class MoveAction(BaseModel):
    """A move that was made."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True, extra="forbid")

    at_ms: Moment
    move: Annotated[list[str], Field(max_length=3)]


class UndoAction(BaseModel):
    """An undo that was made."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True, extra="forbid")

    at_ms: Moment
    undo: OnlyTrue


class RetireAction(BaseModel):
    """The end of a player's race by their own will; always the last action."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True, extra="forbid")

    at_ms: Moment
    retire: OnlyTrue


def _kind(action: Any) -> str | None:
    """What was done, by the key that says it; None where none does."""
    match action:
        case MoveAction() | {"move": _}:
            return "move"
        case UndoAction() | {"undo": _}:
            return "undo"
        case RetireAction() | {"retire": _}:
            return "retire"
        case _:
            return None


Action = Annotated[
    Annotated[MoveAction, Tag("move")]
    | Annotated[UndoAction, Tag("undo")]
    | Annotated[RetireAction, Tag("retire")],
    Discriminator(
        _kind,
        custom_error_type="no_action",
        custom_error_message="an action is a move, an undo or a retirement",
    ),
]


class RecordedPlayer(BaseModel):
    """One player of a record: all that they did."""

    model_config = _MODEL

    player: str
    name: str
    actions: Annotated[list[Action], FailFast()]
    ghost: Annotated[GhostOf | None, Field(exclude_if=lambda ghost: ghost is None)] = None
    """Where nobody raced here but a recorded run, which counts whole: whose it is."""


def _hex(bytes_: int) -> str:
    return f"^[0-9a-f]{{{2 * bytes_}}}$"


Secret = Annotated[str, Field(pattern=_hex(SECRET_BYTES), examples=["5e" * SECRET_BYTES])]
"""A server's secret of one deal, in hex: told once its race is over."""
Nonce = Annotated[str, Field(pattern=_hex(NONCE_BYTES), examples=["a7" * NONCE_BYTES])]
"""A racer's share in the choice of a deal, in hex."""
Commit = Annotated[str, Field(pattern=_hex(SECRET_BYTES), examples=[commit_of(b"")])]
"""Hex SHA-256 of a secret, published before anybody says a nonce."""


class Draw(BaseModel):
    """How the deal was drawn, so that everybody can draw it again (`halfmoon.engine.draws`)."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True, extra="forbid")

    commit: Commit
    secret: Secret
    nonces: dict[Annotated[str, Field(max_length=64)], Nonce]
    """By player: what those said who were ready when the race was started."""

    def code(self, room: str, race: str) -> Code:
        """The code that follows from it."""
        nonces = [bytes.fromhex(nonce) for nonce in self.nonces.values()]
        return drawn_code(bytes.fromhex(self.secret), room, race, nonces)


class RaceRecord(BaseModel):
    """A finished race: enough to play it again and to check every score (Contract §4)."""

    model_config = _MODEL

    race: str
    room: str
    code: Code
    seal: str
    options: SerializeAsAny[RaceOptions]
    starts_at: Moment
    over_at: Moment
    players: Annotated[list[RecordedPlayer], FailFast()]
    standings: Annotated[list[Standing], FailFast()]
    draw: Annotated[Draw | None, Field(exclude_if=lambda draw: draw is None)] = None
    """Where the deal was drawn by server and racers together."""

    @classmethod
    def read(cls, text: str | bytes) -> "RaceRecord":
        """The record in a JSON text; raises `RecordFault`, naming the first thing that is wrong."""
        try:
            _check_numbers(text)
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise RecordFault(_first_of(error)) from None
        except ValueError as error:
            raise RecordFault(f"the file: Invalid JSON: {error}") from None

    def verify(self) -> None:
        """Check seal, draw, every move, every score and the ranking.

        Raises `RecordFault` with the first fault.
        """
        if self.seal != self.code.seal:
            raise RecordFault(f"seal: {self.seal[:70]!r} is not the seal of {self.code}")
        if self.options.code is not None and self.options.code != self.code:
            raise RecordFault(f"options: the race was on {self.options.code}, not on {self.code}")
        self._check_draw()
        self._check_players()
        finishes = self.replay()
        self._check_end(finishes)
        self._check_standings(standings(finishes))

    def replay(self) -> list[Finish]:
        """Every player's run to its end, in the order of `players`; raises `RecordFault`."""
        deal = Deal.of(self.code)
        ended_ms = self.over_at - self.starts_at
        finishes: list[Finish] = []
        for line in self.players:
            run = Run.start(deal)
            for number, action in enumerate(line.actions, start=1):
                try:
                    run = _after(run, action, self.options)
                except RecordFault as fault:
                    raise RecordFault(f"{line.player}, action {number}: {fault}") from None
            if not run.is_done(undo=self.options.undo):
                run = run.left("timed_out", max(ended_ms, run.at_ms))
            finishes.append(Finish(player=line.player, name=line.name, run=run, ghost=line.ghost))
        return finishes

    def _check_draw(self) -> None:
        draw = self.draw
        if draw is None:
            return
        if commit_of(bytes.fromhex(draw.secret)) != draw.commit:
            raise RecordFault("draw: the secret is not the one that the server had committed to")
        if not (self.room.isascii() and self.race.isascii()):
            raise RecordFault("draw: a drawn deal has room and race in ASCII")
        drawn = draw.code(self.room, self.race)
        if drawn != self.code:
            raise RecordFault(
                f"draw: secret and nonces make {drawn}, but the race was on {self.code}"
            )

    def _check_players(self) -> None:
        if all(line.ghost is not None for line in self.players):
            raise RecordFault("players: nobody raced")
        for field, ids in (
            ("players", [line.player for line in self.players]),
            ("standings", [line.player for line in self.standings]),
        ):
            twice = [player for player, count in Counter(ids).items() if count > 1]
            if twice:
                raise RecordFault(f"{field}: {twice[0]} stands there twice")
        ranked = {line.player for line in self.standings}
        raced = {line.player for line in self.players}
        for player in sorted(raced - ranked):
            raise RecordFault(f"standings: {player} raced but has no line")
        for player in sorted(ranked - raced):
            raise RecordFault(f"standings: {player} has a line but did not race")

    def _check_end(self, finishes: list[Finish]) -> None:
        """Whether the race ended when its options say, and nothing happened after that.

        Nobody waits for a ghost: it ends no race, and its run is told to its own end.
        """
        finishes = [finish for finish in finishes if finish.ghost is None]
        limit_ms, ended_ms = self.options.time_limit_ms, self.over_at - self.starts_at
        if ended_ms < 0:
            raise RecordFault("over_at: the race was over before it started")
        for finish in finishes:
            if finish.run.at_ms > ended_ms:
                raise RecordFault(f"{finish.player}: an action after the race was over")
        if limit_ms is not None and ended_ms > limit_ms:
            raise RecordFault(f"over_at: {ended_ms} ms after the start, past the time limit")
        wins = [finish.run.at_ms for finish in finishes if finish.run.status == "won"]
        if self.options.ends == "first_win" and wins:
            self._check_end_at(min(wins), "the first win")
        elif all(finish.run.status != "timed_out" for finish in finishes):
            self._check_end_at(max(finish.run.at_ms for finish in finishes), "the last was done")
        elif limit_ms is not None:
            self._check_end_at(limit_ms, "the time limit")

    def _check_end_at(self, expected_ms: int, why: str) -> None:
        ended_ms = self.over_at - self.starts_at
        if ended_ms != expected_ms:
            raise RecordFault(
                f"over_at: {ended_ms} ms after the start, but the race ended at {expected_ms} ms, "
                f"with {why}"
            )

    def _check_standings(self, expected: list[Standing]) -> None:
        told = {line.player: line for line in self.standings}
        for line in expected:
            for field in Standing.model_fields:
                given, value = getattr(told[line.player], field), getattr(line, field)
                if given != value:
                    raise RecordFault(
                        f"standings: {field} of {line.player} is {given!r}, "
                        f"but by the actions {value!r}"
                    )
        ranks = [line.rank for line in self.standings]
        if ranks != sorted(ranks):
            raise RecordFault("standings: the lines are not in the order of their ranks")


def _after(run: Run, action: Action, options: RaceOptions) -> Run:
    """The run after one recorded action; raises `RecordFault` without saying whose it is."""
    if run.is_done(undo=options.undo):
        raise RecordFault(f"it comes after the player was done ({run.status})")
    if action.at_ms < run.at_ms:
        raise RecordFault(f"it goes back in time, from {run.at_ms} ms to {action.at_ms} ms")
    if options.time_limit_ms is not None and action.at_ms >= options.time_limit_ms:
        raise RecordFault(f"at {action.at_ms} ms it comes after the time limit")
    if isinstance(action, MoveAction):
        outcome = run.board.attempt(action.move)
        if isinstance(outcome, Reason):
            raise RecordFault(f"the move {action.move} is refused: {EXPLANATIONS[outcome]}")
        return run.moved_to(outcome, action.at_ms)
    if isinstance(action, UndoAction):
        if not options.undo:
            raise RecordFault("an undo where undo is off")
        if not run.board.can_undo:
            raise RecordFault("an undo where no move stands")
        return run.moved_to(run.board.undo(), action.at_ms)
    return run.left("retired", action.at_ms)


def _check_numbers(text: str | bytes) -> None:
    """Raises ValueError where a number is none in JSON, also in what nobody looks at."""
    whole = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if b"NaN" in whole or b"Infinity" in whole:
        from_json(text, allow_inf_nan=False)


def _first_of(error: ValidationError) -> str:
    first: Any = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    return f"{place or 'the file'}: {first['msg'].removeprefix('Value error, ')}"
