"""Names in one room that look alike: who came later gets a number beside the name.

Names are compared by their skeleton (UTS 39 §4): what is left when each character is replaced by the
plainest one that looks like it. Case and accents stay, since they can be seen.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module

NUMBER = re.compile(r"[\s①-⑳]+$")
"""What a page shows behind a name that isn't the first of its looks; nobody gains by typing it."""
MOST_SKELETONS = 20_000


@cache
def _prototypes() -> dict[str, str]:
    """The plainest look of each character that has another's."""
    # A large table, read once somebody comes to a room; the package has no types.
    confusables = import_module("confusable_homoglyphs.confusables")
    table: dict[str, list[dict[str, str]]] = confusables.confusables_data
    plain: dict[str, str] = {}
    for character, alike in table.items():
        # The plainest one of a group lists all others, and those list it alone.
        first = alike[0]["c"]
        if len(alike) == 1 and len(character) == 1:
            is_pair = len(table.get(first, ())) == 1
            plain[character] = min(character, first) if is_pair else first
    return plain


@lru_cache(MOST_SKELETONS)
def skeleton(name: str) -> str:
    """What two names that look alike have in common."""
    plain = _prototypes()
    letters = unicodedata.normalize("NFD", NUMBER.sub("", name))
    looks = "".join(plain.get(letter, letter) for letter in letters)
    return unicodedata.normalize("NFD", looks)


def number_among(name: str, others: Iterable[tuple[str, int | None]]) -> int | None:
    """The number of a newcomer's name; None where no name of the `others` looks like it.

    Each of the others is a name and its number. A number that somebody has isn't used again.
    """
    own = skeleton(name)
    taken = [number or 1 for other, number in others if skeleton(other) == own]
    return max(taken) + 1 if taken else None
