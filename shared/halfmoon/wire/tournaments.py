"""Tournaments on the wire (Contract §8): what is asked and answered by HTTP, and the state itself."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from halfmoon.engine.standings import FinalStatus
from halfmoon.wire.fields import (
    Count,
    Maybe,
    Milliseconds,
    Moment,
    PlayerName,
    RaceId,
    RoomId,
    Seal,
    read_line,
    read_room_id,
)
from halfmoon.wire.options import OptionChanges, RoomOptions

_ASKED = ConfigDict(defer_build=True, frozen=True, strict=True, extra="forbid")
_ANSWERED = ConfigDict(defer_build=True, frozen=True, strict=True)

MOST_ENTRANTS = 1000
"""Of one tournament."""
MOST_ROUNDS = 100
MOST_RACE_MS = 86_400_000

Format = Literal["series", "swiss", "knockout"]
EntryKind = Literal["open", "list"]
TournamentStage = Literal["entry", "racing", "break", "over"]
"""`entry` before the first round, `racing` while a round runs, `break` between rounds."""
HeatState = Literal["countdown", "racing", "over"]

TournamentId = Annotated[
    str,
    StringConstraints(max_length=64),
    AfterValidator(read_room_id),
    Field(examples=["T4KQ9"]),
]
"""A tournament's id in any case on input, made like a room's."""
EntrantId = Annotated[str, StringConstraints(max_length=64), Field(examples=["e7"])]
Claim = Annotated[str, StringConstraints(min_length=1, max_length=64)]
"""A secret by which a person takes an entry of the list, once; in any case, with dashes anywhere."""

SecretLink = Annotated[
    str,
    Field(
        pattern=r"^/(?:organiser|t/[0-9A-Za-z]{1,16})#[\x21-\x7e]{1,600}$",
        examples=["/t/T4KQ9#claim=8JWM-QY3C-77RP"],
    ),
]
MOST_LINKS = 100
"""Of one call for codes."""


def read_title(text: str) -> str:
    """A tournament's name as it is shown: one line of up to 60 characters; raises ValueError."""
    return read_line(text, 60)


def read_reason(text: str) -> str:
    """A line of up to 200 characters that says why; raises ValueError."""
    return read_line(text, 200)


DEVICE_HEADER = "Halfmoon-Device"
"""Of a call of the organiser's: what the log calls the device, 1 to 24 characters, percent-encoded."""


Title = Annotated[str, AfterValidator(read_title), Field(examples=["Club evening"])]
Line = Annotated[str, AfterValidator(read_reason)]


# What the organiser asks


class NewTournament(BaseModel):
    """What a tournament shall be."""

    model_config = _ASKED

    name: Title
    format: Format
    rounds: Maybe[Annotated[int, Field(ge=1, le=MOST_ROUNDS)]] = None
    """How many rounds, 5 where nothing is said; a knockout has as many as it takes."""
    race: OptionChanges = OptionChanges()
    """The options of every race; its time limit can't be null, and no code can be named."""
    heat_size: Maybe[Annotated[int, Field(ge=2, le=MOST_ENTRANTS)]] = None
    """The most entrants of one heat in a series; without it all race in one."""
    entry: EntryKind = "open"
    """`open`: who comes plays. `list`: only who has a claim."""


class NewEntrants(BaseModel):
    """Names to be put on the list."""

    model_config = _ASKED

    names: Annotated[list[PlayerName], Field(min_length=1, max_length=MOST_ENTRANTS)]


class NewName(BaseModel):
    """Another name for an entrant."""

    model_config = _ASKED

    name: PlayerName


class NextRound(BaseModel):
    """How the next round is drawn."""

    model_config = _ASKED

    without_absent: bool = False
    """Withdraw before that whose entry nobody has taken; whoever takes it later is in again."""


class Seeds(BaseModel):
    """The order of seeds, everybody once, the best first."""

    model_config = _ASKED

    entrants: Annotated[list[EntrantId], Field(max_length=MOST_ENTRANTS)]


class Correction(BaseModel):
    """What the director says that a result is; the one that was raced stays beside it."""

    model_config = _ASKED

    status: FinalStatus
    best: Annotated[int, Field(ge=0, le=520)]
    time_ms: Annotated[int, Field(ge=0, le=MOST_RACE_MS)]
    reason: Line


class Because(BaseModel):
    """Why something is done."""

    model_config = _ASKED

    reason: Line


class NewAnnouncement(BaseModel):
    """A line for everybody; null takes the last one away."""

    model_config = _ASKED

    text: Line | None


class NewAutomaticMode(BaseModel):
    """Whether rounds shall follow one another by themselves."""

    model_config = _ASKED

    break_ms: Annotated[int, Field(ge=0, le=3_600_000)] | None
    """The next round is drawn so long after the last one is over; null: only when asked for."""
    paused: bool = False
    """The next round waits until the pause is over, and then begins as if the break began anew."""


class SecretLinks(BaseModel):
    """Links to pages of this server with a secret in their fragment: a claim, or the organiser key."""

    model_config = _ASKED

    links: Annotated[list[SecretLink], Field(min_length=1, max_length=MOST_LINKS)]


class Nothing(BaseModel):
    """A body that says nothing."""

    model_config = _ASKED


# What is answered


class TournamentMade(BaseModel):
    """The tournament that was made."""

    model_config = _ANSWERED

    tournament: TournamentId


class EntrantClaim(BaseModel):
    """An entry and the claim by which its person takes it."""

    model_config = _ANSWERED

    entrant: EntrantId
    name: str
    number: Maybe[Count] = None
    """What stands beside the name where somebody before them is called the same, or looks so."""
    claim: Claim
    taken: Maybe[bool] = None
    """Whether somebody has taken the entry."""
    used: Maybe[bool] = None
    """Whether this claim was used and is worth nothing any more; a new one is for another device."""


class DrawnHeat(BaseModel):
    """One heat as it was drawn."""

    model_config = _ANSWERED

    heat: Count
    room: RoomId
    entrants: list[EntrantId]


class DrawnRound(BaseModel):
    """A round as it was drawn."""

    model_config = _ANSWERED

    round: Count
    starts_at: Moment
    heats: list[DrawnHeat]
    byes: list[EntrantId]


class EntrantLine(BaseModel):
    """An entrant."""

    model_config = _ANSWERED

    entrant: EntrantId
    name: str
    number: Maybe[Count] = None
    """What stands beside the name where somebody before them is called the same, or looks so."""
    active: bool
    """False once withdrawn: they keep what they earned and are drawn no more."""
    awaited: Maybe[bool] = None
    """There and true where they were withdrawn as nobody had taken their entry: who takes it is in again."""
    seed: Count
    """Their place in the order of seeds, from 1."""
    taken: bool
    """Whether a person has taken this entry; who hasn't is absent."""
    online: bool
    """Whether that person is connected to the tournament right now."""


class RawResult(BaseModel):
    """A result as it was raced."""

    model_config = _ANSWERED

    status: FinalStatus
    best: Count
    time_ms: Milliseconds


class HeatResult(BaseModel):
    """One entrant's result in a heat; an absent one has none."""

    model_config = _ANSWERED

    entrant: EntrantId
    rank: Count
    """Within the heat, corrections counted."""
    status: FinalStatus
    best: Count
    moves: Count
    actions: Count
    time_ms: Milliseconds
    race: RaceId
    raw: Maybe[RawResult] = None
    """There once the result was corrected."""
    reason: Maybe[str] = None
    """Why it was corrected."""


class HeatLine(BaseModel):
    """A heat."""

    model_config = _ANSWERED

    round: Count
    heat: Count
    """Its number within the round, from 1."""
    room: RoomId
    entrants: list[EntrantId]
    state: HeatState
    seal: Seal
    starts_at: Moment
    results: Maybe[list[HeatResult]] = None
    """Once it is over, best first."""
    absent: Maybe[list[EntrantId]] = None
    """Those of the entrants who have no seat: nobody had taken their entry by the draw."""
    annulled: Maybe[bool] = None
    """There and true where the round counts for nothing."""


class ByeLine(BaseModel):
    """Who had no opponent in a round."""

    model_config = _ANSWERED

    round: Count
    entrant: EntrantId


class AnnulledRound(BaseModel):
    """A round that counts for nothing, and why."""

    model_config = _ANSWERED

    round: Count
    reason: str


class EarlyEnd(BaseModel):
    """A round that the organiser ended before its time: whoever still raced is `retired` with what they had."""

    model_config = _ANSWERED

    round: Count
    reason: str
    at: Moment


class AutomaticMode(BaseModel):
    """Whether rounds follow one another by themselves."""

    model_config = _ANSWERED

    break_ms: Milliseconds | None
    """The next round is drawn so long after the last one is over; null: only when asked for."""
    paused: bool
    waiting: Maybe[bool] = None
    """There and true where the next round waits, since nobody did anything in the last one; the same
    mode set again lets it go on."""


class Announcement(BaseModel):
    """A line of the organiser's for everybody."""

    model_config = _ANSWERED

    text: str
    at: Moment


class TournamentState(BaseModel):
    """A whole tournament but for its table."""

    model_config = _ANSWERED

    tournament: TournamentId
    name: str
    format: Format
    state: TournamentStage
    round: Count
    """The number of the last round that was drawn, 0 before the first."""
    rounds: Maybe[Count] = None
    """How many rounds there will be; a knockout doesn't say."""
    entrants: list[EntrantLine]
    heats: list[HeatLine]
    byes: list[ByeLine]
    entry: EntryKind
    heat_size: Maybe[Count] = None
    race: RoomOptions
    annulled: list[AnnulledRound]
    ended_early: Maybe[list[EarlyEnd]] = None
    automatic: AutomaticMode
    starts_at: Maybe[Moment] = None
    """When the round that is counted down or raced starts, or started."""
    ends_at: Maybe[Moment] = None
    """When that round is over at the latest, but for a further heat after an exact equal."""
    next_at: Maybe[Moment] = None
    """When the next round will be drawn by itself."""
    announcement: Maybe[Announcement] = None


class RoundPoints(BaseModel):
    """What one round brought an entrant."""

    model_config = _ANSWERED

    round: Count
    points: float
    rank: Maybe[Count] = None
    """Within the heat, or in a series within the round; left out for a bye and for the absent."""
    best: Maybe[Count] = None
    time_ms: Maybe[Milliseconds] = None
    opponents: Maybe[list[EntrantId]] = None
    """Those of the same heat, in heats of two."""
    bye: Maybe[bool] = None
    absent: Maybe[bool] = None


class TableRow(BaseModel):
    """One entrant in the table, with every value that ranks them."""

    model_config = _ANSWERED

    rank: Count
    entrant: EntrantId
    name: str
    points: float
    wins: Count
    best: Count
    """The sum over all rounds."""
    time_ms: Milliseconds
    """The sum over all rounds."""
    buchholz: Maybe[float] = None
    sonneborn_berger: Maybe[float] = None
    rounds: list[RoundPoints]
    active: bool


class Standings(BaseModel):
    """The table, computed from the results whenever it is asked for."""

    model_config = _ANSWERED

    rule: str
    """How it ranks, in words."""
    rows: list[TableRow]


class LogLine(BaseModel):
    """Something that was done in a tournament."""

    model_config = _ANSWERED

    seq: Count
    at: Moment
    by: Literal["organiser", "entrant", "server"]
    device: Maybe[str] = None
    """On which of the organisers' devices, by the name that it gave in `Halfmoon-Device`."""
    what: str
    """What happened, in one word for programs, such as `round_drawn`."""
    text: str
    """The same as an English sentence."""
    entrant: Maybe[EntrantId] = None
    name: Maybe[str] = None
    """What they were called then."""
    round: Maybe[Count] = None
    heat: Maybe[Count] = None
    reason: Maybe[str] = None
    names: Maybe[list[str]] = None
    """Who was put on the list, has the bye, or races again."""
    break_ms: Maybe[Milliseconds] = None
    """Of the automatic mode; left out where rounds are drawn by hand."""
    paused: Maybe[bool] = None
    announcement: Maybe[str] = None
    """The line for everybody; left out where the last one was taken away."""


class TournamentLog(BaseModel):
    """Everything that was done in a tournament, oldest first."""

    model_config = _ANSWERED

    log: list[LogLine]


class ReasonEntrant(BaseModel):
    """An entrant as a draw saw them."""

    model_config = _ANSWERED

    entrant: EntrantId
    points: Maybe[float] = None
    seed: Maybe[Count] = None


class HeatReason(BaseModel):
    """One reason for a heat.

    `equal_before`: raced again. Series: `one_deal` for `count` entrants, or `dealt_out` over `heats`.
    Knockout: `bracket`. Swiss: `not_met` or `meet_again`, then `least_differences` over the round,
    then who has the `bye` with `count` of them before.
    """

    model_config = _ANSWERED

    why: Literal[
        "equal_before",
        "one_deal",
        "dealt_out",
        "bracket",
        "not_met",
        "meet_again",
        "least_differences",
        "bye",
    ]
    entrants: Maybe[list[ReasonEntrant]] = None
    count: Maybe[Count] = None
    heats: Maybe[Count] = None
    heat_size: Maybe[Count] = None
    difference: Maybe[float] = None
    """The sum of the differences in points."""


class Explanation(BaseModel):
    """Why a heat was drawn as it was: the reasons, and the same as English sentences."""

    model_config = _ANSWERED

    round: Count
    heat: Count
    text: str
    reasons: list[HeatReason]


class EntrantRound(BaseModel):
    """One round as an entrant lived it."""

    model_config = ConfigDict(defer_build=True, frozen=True, strict=True, populate_by_name=True)

    round: Count
    heat: Maybe[Count] = None
    room: Maybe[RoomId] = None
    with_: Annotated[list[EntrantId], Field(alias="with")]
    """The others in the heat."""
    points: Maybe[float] = None
    """Once the heat is over."""
    result: Maybe[HeatResult] = None
    bye: Maybe[bool] = None
    absent: Maybe[bool] = None
    annulled: Maybe[bool] = None


class EntrantPage(BaseModel):
    """An entrant's own tournament: where they stand and every round of theirs."""

    model_config = _ANSWERED

    entrant: EntrantId
    name: str
    active: bool
    rank: Count
    points: float
    rounds: list[EntrantRound]


class QrCode(BaseModel):
    """A QR code as a path to be filled in black on white, in modules."""

    model_config = _ANSWERED

    side: Count
    """How many modules wide and high, the white around it included."""
    path: str


class QrCodes(BaseModel):
    """The codes of the links that were asked for, in their order."""

    model_config = _ANSWERED

    codes: list[QrCode]


class TournamentLine(BaseModel):
    """A tournament in the list of all."""

    model_config = _ANSWERED

    tournament: TournamentId
    name: str
    format: Format
    state: TournamentStage
    round: Count
    rounds: Maybe[Count] = None
    entrants: Count
    made_at: Moment


class TournamentsPage(BaseModel):
    """All tournaments of this server, the newest first."""

    model_config = _ANSWERED

    tournaments: list[TournamentLine]
