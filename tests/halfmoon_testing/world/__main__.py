"""Run the worlds of these seeds: `PYTHONPATH=tests python -m halfmoon_testing.world 17 20-99`."""

import sys
from collections.abc import Iterator

from halfmoon_testing.world import play


def seeds(arguments: list[str]) -> Iterator[int]:
    """The numbers that are named, one by one or as first-last."""
    for argument in arguments:
        first, _, last = argument.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main() -> int:
    """Print what came of each; the exit status."""
    faulty = 0
    for seed in seeds(sys.argv[1:]):
        outcome = play(seed)
        faulty += bool(outcome.faults)
        sys.stdout.write(f"{outcome}\n" if outcome.faults else f"seed {seed}: {outcome.counts}\n")
    return min(faulty, 1)


if __name__ == "__main__":
    sys.exit(main())
