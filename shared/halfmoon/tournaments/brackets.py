"""The bracket of a knockout: who meets whom, and who has gone on (Contract §8)."""

from collections.abc import Sequence

from halfmoon.tournaments.rounds import Heat, Round, winner

Slot = str | None
"""An entrant, or nobody: then whoever stands beside it has a bye."""


def order(size: int) -> list[int]:
    """The seeds in the order of a standard bracket of this size, a power of two, as in 1, 8, 4, 5.

    Neighbours meet, and the first two seeds can only meet in the last round.
    """
    seeds = [1]
    while len(seeds) < size:
        seeds = [one for seed in seeds for one in (seed, 2 * len(seeds) + 1 - seed)]
    return seeds


def first_slots(entrants: Sequence[str]) -> list[Slot]:
    """The bracket of these entrants, the best seed first; byes go to the top seeds."""
    size = 1
    while size < len(entrants):
        size *= 2
    return [entrants[seed - 1] if seed <= len(entrants) else None for seed in order(size)]


def slots_after(rounds: Sequence[Round], seeds: Sequence[str]) -> list[Slot] | None:
    """Who stands where after these rounds; None before the first."""
    if not rounds:
        return None
    drawn = {*rounds[0].field, *rounds[0].byes}
    slots = first_slots([entrant for entrant in seeds if entrant in drawn])
    for one in rounds:
        slots = [through(one, seeds, a, b) for a, b in pairs(slots)]
    return slots


def pairs(slots: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    """The slots that meet."""
    return list(zip(slots[::2], slots[1::2], strict=True))


def through(one: Round, seeds: Sequence[str], a: Slot, b: Slot) -> Slot:
    """Who of two neighbours has come through this round."""
    if heats := heats_of(one.heats, a, b):
        return winner(heats, seeds)
    return next((slot for slot in (a, b) if slot is not None and slot in one.byes), None)


def heats_of(heats: Sequence[Heat], a: Slot, b: Slot) -> list[Heat]:
    """The heats between these two, in order."""
    return [heat for heat in heats if {*heat.entrants} == {a, b}]


def passed(rounds: Sequence[Round], seeds: Sequence[str]) -> dict[str, int]:
    """How many rounds each entrant has come through, by a win or a bye."""
    count = dict.fromkeys(seeds, 0)
    for number in range(1, len(rounds) + 1):
        for slot in slots_after(rounds[:number], seeds) or ():
            if slot is not None:
                count[slot] += 1
    return count
