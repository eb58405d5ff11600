"""A simulated world: the whole server and those who play on it, on virtual time, with seeded faults.

    from halfmoon_testing.world import play
    outcome = play(17)
    assert not outcome.faults, outcome

The server is the real one, from the bytes of its connections to the entries of its log: aiohttp's
protocol on a transport in memory (`network`), the application as `make_app` puts it together
(`process`), the event log on a disk that may be slow, fail, or lose what was under way (`disk`). What
goes wrong is drawn from the seed (`weather`): lines that are cut at a byte, hang or stall, torn
pieces, crashes at anything that the server writes or reads, stops, clocks that leap. People
(`racer`) play by the oracle, come back and say again what wasn't answered. After everything that
becomes durable or leaves the server a `referee` looks whether it may. In the end all is healed, and
everybody has to finish.

One seed is one run, the same in every process: `python -m halfmoon_testing.world 17` runs it again.
"""

from halfmoon_testing.world.world import Outcome, play

__all__ = ["Outcome", "play"]
