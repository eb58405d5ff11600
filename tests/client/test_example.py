"""The program in docs/python-client.md runs as it stands there."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python-client.md"


def example(page: Path = PAGE) -> str:
    found = re.search(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert found is not None, "the page has its program"
    return found[1]


def test_the_example_has_twelve_lines() -> None:
    assert len([line for line in example().splitlines() if line]) == 12


def test_the_readme_has_the_same_program() -> None:
    assert example(ROOT / "README.md") == example()


def test_the_example_races_and_prints_the_standings(server_url: str) -> None:
    program = example().replace("http://127.0.0.1:8080", server_url)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert re.search(r"^rank=1 player='p_\w+' name='Ann' status='(retired|won)'", done.stdout)
    assert done.returncode == 0
