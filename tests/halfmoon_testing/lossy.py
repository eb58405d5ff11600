"""A line that loses packets: a network namespace of the kernel's, and nftables that drop at random.

    with lossy_line() as line:
        async with server_process(folder, *line.options, within=line.within) as server:
            line.lose(20)   # percent, each way, from now on
            …

Skips the test where the kernel doesn't let one: it takes root, `ip` and `nft`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest


class LossyLine:
    """A namespace with one line out of it, to where the tests are."""

    def __init__(self, name: str, address: str) -> None:
        self.within: Sequence[str] = ("ip", "netns", "exec", name)
        """Before a command: it runs at the far end of the line."""
        self.options: Sequence[str] = ("--host", address)
        """Of a server there."""

    def lose(self, percent: int) -> None:
        """Drop so many packets of each direction from now on."""
        for hook in ("input", "output"):
            rule = f"numgen random mod 100 < {percent} counter drop"
            _run(*self.within, "nft", f"flush chain ip lossy {hook}")
            _run(*self.within, "nft", f"add rule ip lossy {hook} {rule}")

    def lost(self) -> int:
        """How many were dropped since `lose`."""
        said = _run(*self.within, "nft", "list table ip lossy").split()
        return sum(int(said[place + 1]) for place, word in enumerate(said) if word == "packets")


@contextmanager
def lossy_line() -> Iterator[LossyLine]:
    """A line that loses nothing yet, gone afterwards."""
    number = os.getpid() % 16_000
    name, near, far = (f"hm{number}{end}" for end in ("", "a", "b"))
    first, second = (f"10.77.{number // 64}.{number % 64 * 4 + place}" for place in (1, 2))
    try:
        try:
            _run("ip", "netns", "add", name)
            _run("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
            _run("ip", "addr", "add", f"{first}/30", "dev", near)
            _run("ip", "link", "set", near, "up")
            line = LossyLine(name, second)
            _run(*line.within, "ip", "addr", "add", f"{second}/30", "dev", far)
            for device in ("lo", far):
                _run(*line.within, "ip", "link", "set", device, "up")
            _run(*line.within, "nft", "add table ip lossy")
            for hook in ("input", "output"):
                chain = f"add chain ip lossy {hook} {{ type filter hook {hook} priority 0 ; }}"
                _run(*line.within, "nft", chain)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no lossy line here: {error}")
        yield line
    finally:
        if Path("/run/netns", name).exists():
            _run("ip", "netns", "del", name)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
