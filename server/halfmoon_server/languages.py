"""The web client's languages: a file each for who writes it, a part of all of them for who reads a page.

`js/words/de.js` has all words of German, as one `export const PART = {…};` for each part of the
pages. `js/languages.js` gives what all languages have for a part. Sent as they are written, the first
screen would wait for every word of every language; so before the modules are packed each part
becomes a module of its own, from the files that lie in the folder: a language is one file.
"""

import re
from collections.abc import Iterator, Mapping

REGISTRY = "js/languages.js"
FOLDER = "js/words/"

_LANGUAGE = re.compile(re.escape(FOLDER) + r"([a-z]{2,3})\.js")
_PART = re.compile(r"^export const (\w+) = (\{\n.*?^\});\n", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r'^import \{ (\w+) \} from "\./languages\.js";$', re.MULTILINE)


def words_by_part(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with a module for each part of the words instead of one for each language.

    Without a registry among them they are as they were.
    """
    if REGISTRY not in files:
        return dict(files)
    languages = {match[1]: files[path].decode() for path, match in _languages(files)}
    parts = {code: dict(_PART.findall(text)) for code, text in sorted(languages.items())}
    kept = {
        path: _IMPORT.sub(_of_part, body.decode()).encode() if path.endswith(".js") else body
        for path, body in files.items()
        if path != REGISTRY and not _LANGUAGE.fullmatch(path)
    }
    names = dict.fromkeys(name for parts_of_one in parts.values() for name in parts_of_one)
    return kept | {f"{FOLDER}{name}.js": _module(name, parts) for name in names}


def _languages(files: Mapping[str, bytes]) -> Iterator[tuple[str, re.Match[str]]]:
    for path in files:
        if match := _LANGUAGE.fullmatch(path):
            yield path, match


def _of_part(found: re.Match[str]) -> str:
    return f'import {{ {found[1]} }} from "./words/{found[1]}.js";'


def _module(name: str, parts: Mapping[str, Mapping[str, str]]) -> bytes:
    lines = [f"{code}: {of_one.get(name, '{}')}," for code, of_one in parts.items()]
    return "\n".join([f"export const {name} = {{", *lines, "};", ""]).encode()
