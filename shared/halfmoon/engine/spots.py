"""The twenty spots of the table, and moves, which are two or three of them.

A spot is its contract text: a tableau pile `"1"`…`"12"` or a reserve place `"R1"`…`"R8"`.
"""

from typing import Final, Literal, get_args

Spot = Literal[
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
    "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8",
]  # fmt: skip

Move = tuple[Spot, ...]
"""The two or three distinct spots whose exposed cards are removed, any order (Contract §1)."""

SPOTS: Final[tuple[Spot, ...]] = get_args(Spot)
"""All spots: the piles along the arc, then the reserve."""

PILES: Final[tuple[Spot, ...]] = SPOTS[:12]
RESERVE: Final[tuple[Spot, ...]] = SPOTS[12:]

INDEX: Final[dict[str, int]] = {spot: index for index, spot in enumerate(SPOTS)}
"""Spot to its place in `SPOTS`; what isn't a key is no spot."""
