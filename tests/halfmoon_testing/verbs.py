"""The command `halfmoon`, as an operator types it."""

from __future__ import annotations

import subprocess
import sys


def halfmoon(*arguments: str) -> tuple[int, str, str]:
    """What the command does: its exit status, what it prints and what it complains of."""
    command = [sys.executable, "-m", "halfmoon", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr
