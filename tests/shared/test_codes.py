"""Game codes: read leniently, printed canonically, refused by name (contract §2)."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.engine.codes import LETTERS, Code, Variant
from halfmoon.engine.errors import UnreadableCode
from halfmoon_testing import oracle

SEALED = "HM1-S-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZAB"

normal_codes = st.integers(0, 26**7 - 1).map(lambda n: Code.from_number(Variant.NORMAL, n))
sealed_codes = st.integers(0, 26**28 - 1).map(lambda n: Code.from_number(Variant.SEALED, n))
codes = normal_codes | sealed_codes


@st.composite
def sloppy_texts(draw: st.DrawFn) -> tuple[Code, str]:
    """A code and a way in which a person may type it."""
    code = draw(codes)
    typed = ""
    for character in str(code).replace("-", ""):
        typed += "-" * draw(st.integers(0, 2))
        typed += draw(st.sampled_from([character, character.lower()]))
    typed += "-" * draw(st.integers(0, 2))
    before, after = draw(st.text(" \t\r\n", max_size=3)), draw(st.text(" \t\r\n", max_size=3))
    return code, before + typed + after


# --- Reading and printing ---------------------------------------------------------------------


@given(codes)
def test_text_and_code_are_inverse(code: Code) -> None:
    assert Code.parse(str(code)) == code
    assert Code.from_number(code.variant, code.number) == code
    assert eval(repr(code)) == code
    assert hash(Code.parse(str(code))) == hash(code)


@given(sloppy_texts())
def test_case_surrounding_blanks_and_dashes_anywhere_are_ignored(
    code_and_text: tuple[Code, str],
) -> None:
    code, text = code_and_text
    assert Code.parse(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "HM1-N-AAAAAAB",
        "hm1naaaaaab",
        "--HM1-N-AAAAAAB--",
        "  HM1-N-AAAAAAB\n",
        "\t hm1-n-aaaaaab \r\n",
        "H-M-1-N-A-A-A-A-A-A-B",
        "Hm1-nAaAaAaB",
        "HM1---N---AAAAAAB",
        "HM1-N-" + "-" * 1_000 + "AAAAAAB",
    ],
)
def test_one_code_typed_in_many_ways_is_one_code(text: str) -> None:
    assert str(Code.parse(text)) == "HM1-N-AAAAAAB"


def test_a_code_is_printed_in_its_canonical_form() -> None:
    assert str(Code.parse("hm1s" + "z" * 28)) == "HM1-S-" + "Z" * 28


def test_letters_are_a_number_in_base_26() -> None:
    assert Code.parse("HM1-N-AAAAAAA").number == 0
    assert Code.parse("HM1-N-AAAAAAB").number == 1
    assert Code.parse("HM1-N-AAAAABA").number == 26
    assert Code.parse("HM1-N-ZZZZZZZ").number == 26**7 - 1
    assert Code.parse("HM1-S-" + "Z" * 28).number == 26**28 - 1


def test_a_sealed_code_has_about_131_bits() -> None:
    assert LETTERS == {Variant.NORMAL: 7, Variant.SEALED: 28}
    assert 2**131 < 26 ** LETTERS[Variant.SEALED] < 2**132


def test_both_variants_of_the_same_letters_are_different_codes() -> None:
    assert Code.parse("HM1-N-AAAAAAA") != Code.parse("HM1-S-" + "A" * 28)
    assert Code.parse("HM1-N-AAAAAAA") != "HM1-N-AAAAAAA"


@pytest.mark.parametrize("variant", Variant)
def test_a_number_beyond_the_letters_makes_no_code(variant: Variant) -> None:
    for number in (-1, 26 ** LETTERS[variant]):
        with pytest.raises(UnreadableCode, match="is no number"):
            Code.from_number(variant, number)


# --- The seal ---------------------------------------------------------------------------------


@given(codes)
def test_the_seal_is_the_hash_of_the_canonical_text(code: Code) -> None:
    assert code.seal == oracle.seal_of(str(code))


def test_the_seal_does_not_depend_on_how_a_code_was_typed() -> None:
    assert Code.parse("  hm1s" + SEALED[6:].lower()).seal == Code.parse(SEALED).seal


# --- What can't be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "empty"),
        (" \t\r\n ", "empty"),
        ("HM1 N AAAAAAB", "blank inside"),
        ("HM1-N-AAA AAAB", "blank inside"),
        ("HM1-N-AAAAAAB\nHM1-N-AAAAAAB", "blank inside"),
        ("HM1–N–AAAAAAB", "U\\+2013"),
        ("HM1—N—AAAAAAB", "U\\+2014"),
        ("HM1−N−AAAAAAB", "U\\+2212"),
        ("HM1‑N‑AAAAAAB", "U\\+2011"),
        ("HM1-ſ-" + "A" * 28, "U\\+017F"),
        ("HM1-N-AAAAAAı", "U\\+0131"),
        ("HM1-N-AAAAAﬁ", "U\\+FB01"),
        ("HM1-N-AAAAAAＢ", "U\\+FF22"),
        ("ＨＭ１-N-AAAAAAB", "U\\+FF28"),
        ("HM１-N-AAAAAAB", "U\\+FF11"),
        ("HM1-N-АAAAAAB", "U\\+0410"),
        ("HM1-N-AAAAAA\u0130", "U\\+0130"),
        ("HM1-N-AAAAAAB\u00a0", "U\\+00A0"),
        ("\ufeffHM1-N-AAAAAAB", "U\\+FEFF"),
        ("HM1-N-AAAAAA\ud800", "U\\+D800"),
        ("HM1-N-AAA\x00AAB", r"\\x00"),
        ("HM1_N_AAAAAAB", "'_'"),
        ("HM1-N-AAAAAA!", "'!'"),
        ("HM1-N-AAAAAA", "6 letters"),
        ("HM1-N-AAAAAABC", "8 letters"),
        ("HM1-N-", "0 letters"),
        ("HM1-S-AAAAAAB", "7 letters"),
        ("HM1-S-" + "A" * 27, "27 letters"),
        ("HM1-S-" + "A" * 29, "29 letters"),
        ("HM1-N-" + "A" * 28, "28 letters"),
        ("HM1-X-AAAAAAB", "'X'"),
        ("HM1-AAAAAAB", "'A'"),
        ("HM1-2-AAAAAAB", "'2'"),
        ("HM1", "variant, N or S"),
        ("HM1-N-AAAAAA1", "'1'"),
        ("HM1-N-0000000", "'0'"),
        ("HM2-N-AAAAAAB", "HM1"),
        ("HM-N-AAAAAAB", "HM1"),
        ("MH1-N-AAAAAAB", "HM1"),
        ("AAAAAAB", "HM1"),
        ("----", "HM1"),
        ("A" * 10_000, "too long"),
        ("HM1-N-" + "A" * 1_000_000, "too long"),
    ],
)
def test_an_unreadable_code_is_refused_by_what_is_wrong_with_it(text: str, named: str) -> None:
    with pytest.raises(UnreadableCode, match=named) as refusal:
        Code.parse(text)
    message = str(refusal.value)
    assert len(message) < 250
    assert message.isprintable()


@pytest.mark.parametrize("letters", ["", "AAAAAA", "aaaaaab", "AAAAAA1", "AAAAAAſ"])
def test_a_code_is_not_made_of_other_letters(letters: str) -> None:
    with pytest.raises(UnreadableCode, match="letters A–Z"):
        Code(Variant.NORMAL, letters)


@given(st.text(string.ascii_letters + string.digits + "- –ſıﬁＡ", max_size=40) | st.text())
def test_any_text_is_read_as_the_oracle_reads_it(text: str) -> None:
    """A code or a refusal, nothing else; and never a code where the contract has none."""
    try:
        read: str | None = str(Code.parse(text))
    except UnreadableCode:
        read = None
    assert read == oracle.canonical(text)
