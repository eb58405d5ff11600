"""A real server for the tests of the client."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

READY = "Half Moon is listening on "


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The address of a server that keeps nothing."""
    halfmoon = Path(sys.executable).with_name("halfmoon")
    with subprocess.Popen(
        [halfmoon, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None, "it was asked for"
            line = process.stdout.readline()
            assert line.startswith(READY), line
            yield line.removeprefix(READY).strip()
        finally:
            process.terminate()
