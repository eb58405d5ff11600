"""The rules once more, slowly: sets and loops, written from the rules page and the contract alone.

Nothing here is imported from the packages, and nothing is shared with them but the notation:
cards are texts such as "5S", spots texts such as "8" and "R3". Where the engine and this module
differ, one of them is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

SPOTS = [str(number) for number in range(1, 13)] + [f"R{number}" for number in range(1, 9)]
"""The twelve tableau piles, then the eight reserve places."""

CHECK_VALUES = {
    "HM1-N-AAAAAAA": "1a12e63e0abe0f30",
    "HM1-N-AAAAAAB": "1ddf5956ca1dcc3e",
    "HM1-N-AAAAAAZ": "deb79bd90385d005",
    "HM1-N-AAAAABA": "a339bfe1e6e73ef3",
    "HM1-N-ZZZZZZZ": "c17dd221d655e071",
}
"""Contract §2: the first 16 hex digits of SHA-256 over a deal's cards joined by commas."""

UNDO_DEPTH = 100
FOR_EVER_MS = 2**53

Places = list[tuple[str, str]]
"""Spots and the cards that lay there, in the order of a move."""


# --- Codes and deals (contract §2) ------------------------------------------------------------


def canonical(text: str) -> str | None:
    """The canonical form of a code that a person typed, or None where it can't be read."""
    letters = ""
    for character in text.strip(" \t\r\n"):
        if character == "-":
            continue
        letters += chr(ord(character) - 32) if "a" <= character <= "z" else character
    if letters[:4] not in ("HM1N", "HM1S"):
        return None
    variant, body = letters[3], letters[4:]
    if len(body) != {"N": 7, "S": 28}[variant]:
        return None
    for character in body:
        if not "A" <= character <= "Z":
            return None
    return f"HM1-{variant}-{body}"


def letters_of(number: int, width: int) -> str:
    """A number in base 26, A = 0, the highest place first."""
    text = ""
    for _ in range(width):
        number, digit = divmod(number, 26)
        text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + text
    return text


def seal_of(code: str) -> str:
    """Hex SHA-256 of a canonical code."""
    return hashlib.sha256(code.encode("ascii")).hexdigest()


def two_packs() -> list[str]:
    """104 cards in the order before shuffling."""
    pack = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    return pack + pack


class _Words:
    """The 32-bit words that a code gives, one after the other."""

    def __init__(self, code: str) -> None:
        self._prefix = code.encode("ascii") + b"\x00"
        self._block = 0
        self._left: list[int] = []

    def next(self) -> int:
        if not self._left:
            digest = hashlib.sha256(self._prefix + self._block.to_bytes(4, "big")).digest()
            for start in range(0, 32, 4):
                self._left.append(int.from_bytes(digest[start : start + 4], "big"))
            self._block += 1
        return self._left.pop(0)

    def below(self, bound: int) -> int:
        while True:
            word = self.next()
            if word < 2**32 - 2**32 % bound:
                return word % bound


def deck(code: str) -> list[str]:
    """The 104 cards of a canonical code: piles 1…12 bottom to top, then R1…R8."""
    words = _Words(code)
    cards = two_packs()
    for i in range(103, 0, -1):
        j = words.below(i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held
    return cards


def check_value(cards: Sequence[str]) -> str:
    """The check value of a deck, as the contract prints them."""
    return hashlib.sha256(",".join(cards).encode("ascii")).hexdigest()[:16]


# --- A board ----------------------------------------------------------------------------------


def value(card: str) -> int:
    """1 for an ace … 10 for a ten; 0 for a court card, which has no value."""
    return "A23456789T".find(card[0]) + 1


def reason_of_cards(cards: Sequence[str]) -> str | None:
    """Why two or three cards may not go together, or None if they may."""
    ranks = [card[0] for card in cards]
    court_cards = [rank for rank in ranks if rank in "JQK"]
    if court_cards:
        return None if sorted(ranks) == ["J", "K", "Q"] else "need_jack_queen_king"
    if len(cards) == 2 and value(cards[0]) + value(cards[1]) == 11:
        return None
    return "not_eleven"


@dataclass
class OracleBoard:
    """One board as plain lists that change in place."""

    piles: list[list[str]]
    reserve: list[str | None]
    history: list[Places] = field(default_factory=list)
    score: int = 0
    moves: int = 0
    turn: int = 0
    best: int = 0
    pairs: int = 0
    triples: int = 0

    @classmethod
    def of_deck(cls, cards: Sequence[str]) -> OracleBoard:
        piles = [list(cards[8 * pile : 8 * pile + 8]) for pile in range(12)]
        return cls(piles, list(cards[96:104]))

    @classmethod
    def of_code(cls, code: str) -> OracleBoard:
        return cls.of_deck(deck(code))

    def exposed(self) -> dict[str, str]:
        """Every spot that has a playable card, with that card, in the order of SPOTS."""
        cards = {}
        for number, pile in enumerate(self.piles, start=1):
            if pile:
                cards[str(number)] = pile[-1]
        for number, card in enumerate(self.reserve, start=1):
            if card is not None:
                cards[f"R{number}"] = card
        return cards

    def counts(self) -> list[int]:
        return [len(pile) for pile in self.piles]

    def _moves(self) -> Iterator[frozenset[str]]:
        cards = self.exposed()
        values = {spot: value(card) for spot, card in cards.items()}
        for one, other in combinations(cards, 2):
            if values[one] + values[other] == 11:
                yield frozenset([one, other])
        for spots in combinations([spot for spot in cards if values[spot] == 0], 3):
            if {cards[spot][0] for spot in spots} == {"J", "Q", "K"}:
                yield frozenset(spots)

    def legal_moves(self) -> set[frozenset[str]]:
        """Every set of spots whose cards may go: all twos and all threes of courts are tried."""
        return set(self._moves())

    def reason(self, spots: Sequence[str]) -> str | None:
        """The contract's first reason why these spots are no move, or None for a move."""
        for spot in spots:
            if spot not in SPOTS:
                return "unknown_spot"
        if len(set(spots)) != len(spots):
            return "same_spot"
        if len(spots) not in (2, 3):
            return "wrong_count"
        cards = self.exposed()
        for spot in spots:
            if spot not in cards:
                return "empty_spot"
        return reason_of_cards([cards[spot] for spot in spots])

    def status(self) -> str:
        """By the cards alone: "won", "deadlocked" or "racing"."""
        if not self.exposed():
            return "won"
        return "racing" if any(self._moves()) else "deadlocked"

    def _points(self, removed: Places) -> int:
        return {2: 10, 3: 15}[len(removed)]

    def play(self, spots: Sequence[str]) -> Places:
        """Removes the cards and gives them back, each with its spot."""
        assert self.reason(spots) is None, (spots, self.reason(spots))
        removed = []
        for spot in spots:
            if spot.startswith("R"):
                place = int(spot[1:]) - 1
                card = self.reserve[place]
                assert card is not None
                self.reserve[place] = None
            else:
                card = self.piles[int(spot) - 1].pop()
            removed.append((spot, card))
        self.history.append(removed)
        del self.history[:-UNDO_DEPTH]
        self.score += self._points(removed)
        self.pairs += len(removed) == 2
        self.triples += len(removed) == 3
        self.moves += 1
        self.turn += 1
        self.best = max(self.best, self.score)
        return removed

    def can_undo(self) -> bool:
        return bool(self.history)

    def undo(self) -> Places:
        """Puts the last move's cards back and gives them, each with its spot."""
        restored = self.history.pop()
        for spot, card in restored:
            if spot.startswith("R"):
                self.reserve[int(spot[1:]) - 1] = card
            else:
                self.piles[int(spot) - 1].append(card)
        self.score -= self._points(restored)
        self.pairs -= len(restored) == 2
        self.triples -= len(restored) == 3
        self.moves -= 1
        self.turn += 1
        return restored


# --- The race (contract §6) -------------------------------------------------------------------


@dataclass
class Result:
    """What one player has when the race is over."""

    player: str
    status: str
    score: int = 0
    best: int = 0
    moves: int = 0
    actions: int = 0
    time_ms: int = 0


@dataclass(frozen=True)
class Deed:
    """One action of a record: a move (spots), an undo or a retirement."""

    at_ms: int
    spots: tuple[str, ...] = ()
    undo: bool = False
    retire: bool = False


def race_result(code: str, player: str, deeds: Iterable[Deed], *, undo: bool) -> Result:
    """Plays a player's actions through and says what they come to when the race is over."""
    board = OracleBoard.of_code(code)
    result = Result(player, "timed_out")
    for deed in deeds:
        if deed.retire:
            result.status = "retired"
            continue
        if deed.undo:
            board.undo()
        else:
            board.play(deed.spots)
        result.actions += 1
        if board.score > result.best:
            result.best = board.score
            result.time_ms = deed.at_ms
    status = board.status()
    if result.status != "retired" and (status == "won" or (status == "deadlocked" and not undo)):
        result.status = status
    result.score = board.score
    result.moves = board.moves
    return result


def is_ahead(one: Result, other: Result) -> bool:
    """Whether one stands strictly above the other."""
    if (one.status == "won") != (other.status == "won"):
        return one.status == "won"
    if one.status == "won" and one.time_ms != other.time_ms:
        return one.time_ms < other.time_ms
    if one.best != other.best:
        return one.best > other.best
    if one.time_ms != other.time_ms:
        return one.time_ms < other.time_ms
    return one.actions < other.actions


def ranks(results: Sequence[Result]) -> dict[str, int]:
    """Each player's rank: one more than the number of those who are ahead."""
    table = {}
    for one in results:
        table[one.player] = 1 + sum(is_ahead(other, one) for other in results)
    return table


def record_holds(record: dict[str, Any]) -> bool:
    """Whether a race record of the right shape is true: seal, actions, end and standings."""
    code, options = canonical(record["code"]), record["options"]
    if code is None or record["seal"] != seal_of(code):
        return False
    if options.get("code") is not None and canonical(options["code"]) != code:
        return False
    names = {line["player"]: line["name"] for line in record["players"]}
    ghosts = {line["player"]: line["ghost"] for line in record["players"] if "ghost" in line}
    told = {line["player"]: line for line in record["standings"]}
    if not len(record["players"]) == len(names) == len(told) == len(record["standings"]):
        return False
    if set(names) == set(ghosts) or set(names) != set(told):
        return False
    ended_ms = record["over_at"] - record["starts_at"]
    results = []
    for line in record["players"]:
        deeds = _deeds(line["actions"])
        until_ms = FOR_EVER_MS if line["player"] in ghosts else ended_ms
        if deeds is None or not _deeds_hold(code, deeds, options, until_ms):
            return False
        results.append(race_result(code, line["player"], deeds, undo=options["undo"]))
    living = [result for result in results if result.player not in ghosts]
    if not _end_holds(record, living, ended_ms):
        return False
    table = ranks(results)
    for result in results:
        line = {"name": names[result.player], "rank": table[result.player], **vars(result)}
        if result.player in ghosts:
            line["ghost"] = ghosts[result.player]
        if told[result.player] != line:
            return False
    order = [line["rank"] for line in record["standings"]]
    return order == sorted(order)


def _deeds(actions: list[dict[str, Any]]) -> list[Deed] | None:
    """The actions of a record, or None where one is none of the three kinds."""
    deeds = []
    for action in actions:
        what = {key: value for key, value in action.items() if key != "at_ms"}
        if what not in ({"undo": True}, {"retire": True}) and list(what) != ["move"]:
            return None
        deeds.append(
            Deed(action["at_ms"], tuple(what.get("move", ())), "undo" in what, "retire" in what)
        )
    return deeds


def _deeds_hold(code: str, deeds: list[Deed], options: dict[str, Any], ended_ms: int) -> bool:
    """Whether a player could do all this one after the other, while the race ran."""
    limit_ms = options["time_limit_ms"]
    board = OracleBoard.of_code(code)
    done, before_ms = board.status() == "deadlocked" and not options["undo"], 0
    for deed in deeds:
        if done or not before_ms <= deed.at_ms <= ended_ms:
            return False
        if limit_ms is not None and deed.at_ms >= limit_ms:
            return False
        before_ms = deed.at_ms
        if deed.retire:
            done = True
        elif deed.undo:
            if not options["undo"] or not board.can_undo():
                return False
            board.undo()
        elif board.reason(deed.spots) is not None:
            return False
        else:
            board.play(deed.spots)
            status = board.status()
            done = status == "won" or (status == "deadlocked" and not options["undo"])
    return True


def _end_holds(record: dict[str, Any], results: list[Result], ended_ms: int) -> bool:
    """Whether the race was over when its options say."""
    limit_ms = record["options"]["time_limit_ms"]
    last_ms = [0]
    for line in record["players"]:
        if "ghost" in line:
            continue
        last_ms += [action["at_ms"] for action in line["actions"]]
    wins = [result.time_ms for result in results if result.status == "won"]
    if record["options"]["ends"] == "first_win" and wins:
        return ended_ms == min(wins)
    if all(result.status != "timed_out" for result in results):
        return ended_ms == max(last_ms)
    if limit_ms is not None:
        return bool(ended_ms == limit_ms)
    return ended_ms >= max(last_ms)
