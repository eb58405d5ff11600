"""Many small modules and sheets as few files: over HTTP/1.1 each request costs a phone its whole delay.

The page's modules are written and checked one by one (`docs/decisions/0005`).  What is sent for a
module that the page or an `import()` names is that module with all that it stands on, each in a
function of its own, except for what was sent along with a module named before it.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_STATIC = re.compile(r'^import\s+(?:([^"]+?)\s+from\s+)?"(\.[^"]+)";$', re.MULTILINE | re.DOTALL)
_DYNAMIC = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(
    r"^export ((?:async )?function|class|const|default)\s+(\w*)", re.MULTILINE | re.ASCII
)
_DOC = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n|/\*\*.*?\*/", re.MULTILINE | re.DOTALL)
_COMMENT_LINE = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export|await)\b.*", re.MULTILINE)
_SHEET_COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_SHEET = re.compile(
    r'<(link rel="stylesheet" href|meta name="late-sheet" content)="/static/([^"]+)">\n'
)


@dataclass(frozen=True, slots=True)
class _Module:
    """One module, read."""

    path: str
    body: str
    stands_on: tuple[str, ...]
    opens: tuple[str, ...]
    exports: tuple[str, ...]


def packed_modules(files: Mapping[str, bytes], first: str) -> dict[str, bytes]:
    """The modules that are asked for by name, beginning with `first`, each with what it stands on.

    `ValueError` where a module is written in a way that can't be moved into a function, stands on
    one that isn't there, or stands on itself.
    """
    modules = {path: _read(path, files[path].decode()) for path in files if path.endswith(".js")}
    entries = list(_entries(modules, first))
    owner: dict[str, str] = {}
    for entry in entries:
        for path in _in_order(modules, entry):
            owner.setdefault(path, entry)
    return {entry: _written(modules, entry, owner).encode() for entry in entries}


def packed_sheets(html: bytes, files: Mapping[str, bytes]) -> tuple[bytes, dict[str, bytes]]:
    """The page, and the sheets that it names now: those at first are one, and those for later.

    A sheet that it doesn't name is brought in by a module, and stays as it is.
    """
    text = html.decode()
    groups: dict[str, list[str]] = {}
    for how, path in _SHEET.findall(text):
        groups.setdefault(how, []).append(path)
    for how, paths in groups.items():
        for path in paths[1:]:
            text = text.replace(f'<{how}="/static/{path}">\n', "")
    named = {path for paths in groups.values() for path in paths}
    others = {name for name in files if name.endswith(".css")} - named
    bare = {path: _SHEET_COMMENT.sub("", files[path].decode()).encode() for path in named | others}
    sheets = {path: bare[path] for path in sorted(others)}
    sheets |= {paths[0]: b"\n".join(bare[path] for path in paths) for paths in groups.values()}
    return text.encode(), sheets


def _read(path: str, source: str) -> _Module:
    source = _bare(path, source)
    stands_on: list[str] = []
    opens: list[str] = []
    exports: list[str] = []

    def imported(match: re.Match[str]) -> str:
        names, other = match[1], _beside(path, match[2])
        stands_on.append(other)
        if names is None:
            return ""
        if names.startswith("{"):
            return f"const {names.replace(' as ', ': ')} = {_name(other)};"
        whole = names.removeprefix("* as ")
        return f"const {whole} = {_name(other)}{'' if whole != names else '.default'};"

    def exported(match: re.Match[str]) -> str:
        kind, name = match[1], match[2]
        exports.append("default" if kind == "default" else name)
        return f"const $default = {name}" if kind == "default" else f"{kind} {name}"

    def opened(match: re.Match[str]) -> str:
        opens.append(_beside(path, match[1]))
        return f'import("/static/{opens[-1]}")'

    body = _DYNAMIC.sub(opened, _EXPORT.sub(exported, _STATIC.sub(imported, source)))
    if left := _LEFT_OVER.search(body):
        raise ValueError(f"{path}: can't be packed: {left[0]}")
    return _Module(path, _INDENT.sub("", body), tuple(stands_on), tuple(opens), tuple(exports))


def _bare(path: str, source: str) -> str:
    """The module without the comments that have lines of their own; its indentation may go too."""
    source = _COMMENT_LINE.sub("", _DOC.sub("", source))
    for line in source.splitlines():
        if line.count("`") % 2:
            raise ValueError(f"{path}: can't be packed, as a text goes over several lines: {line}")
    return source


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _name(path: str) -> str:
    """What a module is called in a pack."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _entries(modules: Mapping[str, _Module], first: str) -> Iterator[str]:
    """`first` and the modules that an `import()` names, each before what comes beside it."""
    waiting, seen = [first], {first}
    while waiting:
        entry = waiting.pop(0)
        yield entry
        opened = [other for path in _in_order(modules, entry) for other in modules[path].opens]
        found = [other for other in dict.fromkeys(opened) if other not in seen]
        seen.update(found)
        waiting = [*found, *waiting]


def _in_order(modules: Mapping[str, _Module], entry: str) -> list[str]:
    """What this module stands on, and last the module itself."""
    done: dict[str, None] = {}

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise ValueError(f"modules in a ring: {' → '.join((*above, path))}")
        if path not in modules:
            raise ValueError(f"{above[-1] if above else 'the page'}: there is no module {path}")
        if path not in done:
            for other in modules[path].stands_on:
                visit(other, (*above, path))
            done[path] = None

    visit(entry, ())
    return list(done)


def _written(modules: Mapping[str, _Module], entry: str, owner: Mapping[str, str]) -> str:
    own = [path for path in _in_order(modules, entry) if owner[path] == entry]
    needed = {entry, *(other for path in own for other in modules[path].stands_on)}
    elsewhere: dict[str, list[str]] = {}
    for path in sorted(needed - set(own)):
        elsewhere.setdefault(owner[path], []).append(_name(path))
    heads = [
        f'import {{ {", ".join(names)} }} from "/static/{other}";'
        for other, names in elsewhere.items()
    ]
    tails: list[str] = []
    if own:
        tails.append(f"export {{ {', '.join(_name(path) for path in own)} }};")
    if exports := modules[entry].exports:
        tails.append(f"export const {{ {', '.join(exports)} }} = {_name(entry)};")
    return "\n".join([*heads, *(_wrapped(modules[path]) for path in own), *tails, ""])


def _wrapped(module: _Module) -> str:
    given = ", ".join("default: $default" if one == "default" else one for one in module.exports)
    return (
        f"// {module.path}\nconst {_name(module.path)} = (() => {{\n"
        f"{module.body.strip()}\nreturn {{ {given} }};\n}})();"
    )
