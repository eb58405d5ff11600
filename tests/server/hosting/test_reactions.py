"""Signs that people show each other: told once, however often a command is sent."""

from __future__ import annotations

import pytest

from halfmoon_testing.builders import ANN, BEN, join, react, with_id
from halfmoon_testing.rooms import hosted


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_sign_that_is_sent_again_is_answered_again_and_not_shown_twice(
    restarts: bool,
) -> None:
    async with hosted() as room:
        await room.does(BEN, join())
        asked = with_id(react("gg"), "7")
        first = await room.does(BEN, asked)
        assert first == {"type": "ok", "room": "K7M2P", "re": "7"}
        if restarts:
            await room.crash()
            await room.restart()
            for who in (ANN, BEN):
                await room.does(who, join())
        assert await room.does(BEN, asked) == first
        shown = [said for said in room.link(ANN).all() if said["type"] == "reaction"]
        assert len(shown) == (0 if restarts else 1)
