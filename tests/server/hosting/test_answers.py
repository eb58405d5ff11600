"""The answers that are kept: the last 256 of each player."""

from halfmoon_server.hosting.answers import MOST_PER_PLAYER, Answers
from halfmoon_testing.builders import ANN, BEN


def test_an_answer_is_found_by_player_and_id() -> None:
    answers = Answers()
    answers.remember(ANN, "1", b"first")
    assert answers.find(ANN, "1") == b"first"
    assert answers.find(ANN, "2") is None
    assert answers.find(BEN, "1") is None


def test_a_command_without_an_id_is_never_remembered() -> None:
    answers = Answers()
    answers.remember(ANN, None, b"first")
    assert answers.find(ANN, None) is None


def test_an_empty_id_is_an_id() -> None:
    answers = Answers()
    answers.remember(ANN, "", b"first")
    assert answers.find(ANN, "") == b"first"


def test_the_last_256_of_each_player_are_kept_and_the_oldest_goes_first() -> None:
    answers = Answers()
    answers.remember(BEN, "0", b"Ben's")
    for number in range(MOST_PER_PLAYER):
        answers.remember(ANN, str(number), str(number).encode())
    assert answers.find(ANN, "0") == b"0"
    answers.remember(ANN, "one more", b"")
    assert answers.find(ANN, "0") is None
    assert answers.find(ANN, "1") == b"1"
    assert answers.find(ANN, "one more") == b""
    assert answers.find(BEN, "0") == b"Ben's"
    assert MOST_PER_PLAYER == 256
