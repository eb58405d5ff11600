"""The people, commands and deals that tests of the server speak of."""

from __future__ import annotations

from typing import Any

from halfmoon.engine.cards import Card
from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon.wire import commands as c
from halfmoon.wire.options import OptionChanges
from halfmoon_testing.solver import DEADLOCK_CODE, WINNABLE_CODE

ROOM = "K7M2P"
ANN, BEN, CLEO, DAN, EVE = PEOPLE = ("p_ann", "p_ben", "p_cleo", "p_dan", "p_eve")
"""Ann opens every room."""
BEGAN_AT = 1_790_000_000_000
"""When a test begins, Unix ms."""

WINNABLE = Code.parse(WINNABLE_CODE)
STICKY = Code.parse(DEADLOCK_CODE)


def name_of(player: str) -> str:
    """What the player is called: Ann is `p_ann`."""
    return player.removeprefix("p_").capitalize()


# --- Commands ---------------------------------------------------------------------------------


def create_room(*, id: str | None = None, **options: Any) -> c.CreateRoom:
    return c.CreateRoom(id=id, options=OptionChanges(**options))


def join(as_: c.As = "player", *, screen: bool = False) -> c.JoinRoom:
    return c.JoinRoom(room=ROOM, as_=as_, screen=True if screen else None)


def leave() -> c.LeaveRoom:
    return c.LeaveRoom(room=ROOM)


def ready(*, ready: bool = True, nonce: str | None = None) -> c.SetReady:
    return c.SetReady(room=ROOM, ready=ready, nonce=nonce)


def start() -> c.Start:
    return c.Start(room=ROOM)


def set_options(**options: Any) -> c.SetOptions:
    return c.SetOptions(room=ROOM, options=OptionChanges(**options))


def kick(player: str) -> c.Kick:
    return c.Kick(room=ROOM, player=player)


def rematch(code: Code | None = None) -> c.Rematch:
    return c.Rematch(room=ROOM, code=code)


def move(turn: int, *spots: str) -> c.Move:
    return c.Move(room=ROOM, turn=turn, spots=[*spots])


def undo(turn: int) -> c.Undo:
    return c.Undo(room=ROOM, turn=turn)


def retire() -> c.Retire:
    return c.Retire(room=ROOM)


def react(reaction: c.ReactionKind = "nice") -> c.React:
    return c.React(room=ROOM, reaction=reaction)


def with_id(command: c.AnyRoomCommand, command_id: str) -> c.AnyRoomCommand:
    """The same command under this id."""
    return command.model_copy(update={"id": command_id})


# --- Deals ------------------------------------------------------------------------------------


class LabelledCard(Card):
    """A card that is written as the place where it lay, so that it is known wherever it turns up.

    Two packs make `5S` ambiguous; a label isn't.
    """

    __slots__ = ()

    def __init__(self, card: Card, label: str) -> None:
        super().__init__(card.rank, card.suit)
        self.text = label


def label(code: Code, position: int) -> str:
    """What stands on the card that was dealt as number `position` of this code's deck."""
    return f"<{code.seal[:8]}.{position}>"


def labelled_deal(code: Code) -> Deal:
    """The code's deal, each card written as its place."""
    return with_labels(Deal.of(code))


def with_labels(deal: Deal) -> Deal:
    """The deal with a label for each position instead of the card's text."""
    deck: list[Card] = [
        LabelledCard(card, label(deal.code, position)) for position, card in enumerate(cards(deal))
    ]
    return Deal.of_deck(deal.code, deck)


def cards(deal: Deal) -> list[Card]:
    """The 104 cards in dealing order: piles 1 to 12 from the bottom, then the reserve."""
    return [*(card for pile in deal.piles for card in pile), *deal.reserve]


def exposed_positions(counts: tuple[int, ...]) -> set[int]:
    """Which numbers of the deck lie open on a board of these counts (Contract §2, step 5)."""
    piles = {8 * place + count - 1 for place, count in enumerate(counts[:12]) if count}
    return piles | {96 + place for place, count in enumerate(counts[12:]) if count}
