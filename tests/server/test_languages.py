"""The words of the web client: a file for each language, sent a part at a time."""

from importlib import resources

from halfmoon_server.languages import words_by_part
from halfmoon_server.packing import packed_modules
from halfmoon_server.pages import FIRST_MODULE, web_files

REAL = web_files(resources.files("halfmoon_web"))
OTHER = b"""/** Esperanto, as far as somebody has got. */

/** The first screen. */
export const home = {
  "home.title": "Konkuru kun amikoj",
};

export const page = {
  "language.name": "Esperanto",
  "score.moves": { one: "{count} movo", other: "{count} movoj" },
};
"""


def packs(files: dict[str, bytes]) -> dict[str, str]:
    packed = packed_modules(words_by_part(files), FIRST_MODULE)
    return {path: body.decode() for path, body in packed.items()}


def test_the_first_screen_brings_its_own_words_and_no_others_in_every_language() -> None:
    first = packs(REAL)[FIRST_MODULE]
    assert first.count('"home.title":') == 3
    for other in ("lobby.ready", "replay.title", "deal.title", "organiser."):
        assert f'"{other}' not in first


def test_every_word_of_every_language_is_sent_once() -> None:
    sent = "\n".join(packs(REAL).values())
    for path, body in REAL.items():
        if path.startswith("js/words/"):
            lines = body.decode().splitlines()
            phrases = [line.strip() for line in lines if line.startswith('  "')]
            assert len(phrases) > 500
            assert [phrase for phrase in phrases if phrase not in sent] == []
    assert sent.count('"lobby.ready":') == 3


def test_a_file_in_the_folder_is_a_language() -> None:
    made = packs(REAL | {"js/words/eo.js": OTHER})
    assert 'eo: {\n"home.title": "Konkuru kun amikoj",' in made[FIRST_MODULE]
    assert '"language.name": "Esperanto"' in made["js/rest.js"]
    assert "eo: {}," in made["js/records.js"]


def test_files_without_words_stay_as_they_are() -> None:
    files = {"js/main.js": b"export const a = 1;\n"}
    assert words_by_part(files) == files
