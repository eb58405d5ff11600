"""Servers for the tests from outside: most play in this process, some need a process to end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from halfmoon_server.settings import Settings
from halfmoon_testing.server import (
    UNHURRIED,
    InProcess,
    ServerProcess,
    in_process,
    server_process,
)


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[InProcess]:
    """A server with its log on the disk, without limits that a test could meet by playing fast."""
    async with in_process(Settings(data=tmp_path / "data", limits=UNHURRIED)) as running:
        yield running


@pytest_asyncio.fixture
async def process(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server process with its default settings, begun from nothing as operators begin it."""
    async with server_process(tmp_path / "data", within=["env"]) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that doesn't exist yet."""
    return tmp_path / "data"
