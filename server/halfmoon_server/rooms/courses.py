"""How each racer's score went so far, kept small: what the graph of a running race is drawn from."""

from array import array

from halfmoon_server.rooms.state import Race, Seat

MOST_KEPT = 1024
"""Points of one racer; past that every second one is let go, so that a graph keeps its shape."""
MOST_SHOWN = 120
"""Points of one racer in a message: as many as a small graph can show."""
MOST_RACERS = 8
"""The best of a race, as many as a graph has signs for."""
SCORES = 1024
"""Above every score: a point is `at_ms * SCORES + score`, eight bytes."""


def grown(course: bytes, at_ms: int, score: int) -> bytes:
    """The course with one more point: the score from `at_ms` on."""
    points = array("Q", course)
    if len(points) >= MOST_KEPT:
        points = points[::2]
    points.append(at_ms * SCORES + score)
    return points.tobytes()


def points_of(course: bytes) -> list[list[int]]:
    """`[at_ms, score]` of each change, oldest first; of very many some, the last among them."""
    points = array("Q", course)
    last = len(points) - 1
    if last >= MOST_SHOWN:
        points = array("Q", (points[i * last // (MOST_SHOWN - 1)] for i in range(MOST_SHOWN)))
    return [[*divmod(point, SCORES)] for point in points]


def courses_of(race: Race) -> dict[str, list[list[int]]]:
    """The courses of the best racers who have done something, by player."""
    best = sorted(race.seats.values(), key=_ranked_by)[:MOST_RACERS]
    return {seat.player: points_of(seat.course) for seat in best if seat.course}


def _ranked_by(seat: Seat) -> tuple[bool, int, int]:
    """The live order, as far as it goes before a race is over (Contract §6)."""
    run = seat.run
    return (run.status != "won", -run.best, run.best_at_ms)
