"""The drawing of a deal: the arc, with every card of it."""

import pytest

from halfmoon.drawing import draw, one_line
from halfmoon.engine.codes import Code
from halfmoon.engine.deals import Deal
from halfmoon_testing import oracle

CODE = "HM1-N-AAAAAAB"


def test_the_drawing_is_the_arc() -> None:
    deal = Deal.of(Code.parse(CODE))
    assert draw(deal, symbols=True) == (
        "HM1-N-AAAAAAB                                                 [ ] lies exposed\n"
        "\n"
        "    3♦         9♦         A♠         8♠         8♦         2♥         8♥\n"
        "    2♠         9♥         6♥         7♦         T♠         3♣         9♠\n"
        "    Q♥         2♠         J♠         6♠         K♣         4♣         5♦\n"
        "    8♥         5♠         9♦         7♣         Q♠         Q♥         8♣\n"
        "    5♦         2♦         J♦         7♠         J♦         J♠         T♥\n"
        "    9♥         5♥         8♠         4♠         9♣         4♥         Q♣\n"
        "    Q♠         3♠         7♦         6♣         K♠         K♥         K♦\n"
        "   [4♣]       [5♠]       [A♥]       [8♦]       [Q♦]       [2♦]       [J♣]\n"
        "   4 ×8       5 ×8       6 ×8       7 ×8       8 ×8       9 ×8       10 ×8\n"
        "\n"
        " 4♦ J♥ 3♣ 5♥ A♥ 2♣ K♠[K♦]   [T♦]  [7♠]  [5♣]  [T♣]   [T♥]8♣ A♠ 6♦ Q♣ 7♣ 5♣ 6♠\n"
        "                     3 ×8    R1    R2    R3    R4    11 ×8\n"
        "\n"
        " Q♦ 6♦ A♦ T♣ T♠ 6♣ K♣[4♠]   [3♠]  [J♥]  [6♥]  [2♣]   [3♥]7♥ A♦ 3♦ 7♥ 4♦ 9♣ 9♠\n"
        "                     2 ×8    R5    R6    R7    R8    12 ×8\n"
        "\n"
        " A♣ T♦ K♥ J♣ 2♥ A♣ 3♥[4♥]\n"
        "                     1 ×8"
    )


@pytest.mark.parametrize("code", [CODE, "HM1-S-" + "Z" * 28])
def test_the_drawing_holds_all_104_cards_within_80_columns(code: str) -> None:
    deal = Deal.of(Code.parse(code))
    text = draw(deal, symbols=False)
    words = text.partition("\n")[2].replace("[", " ").replace("]", " ").split()
    assert sorted(word for word in words if word in oracle.deck(code)) == sorted(oracle.deck(code))
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii()


def test_one_line_shows_what_a_terminal_would_obey() -> None:
    assert one_line("a\nb\x1b\u200b\U000e0001ü♠") == r"a\nb\x1b\u200b\U000e0001ü♠"
    assert len(one_line("x" * 10_000)) < 1000
