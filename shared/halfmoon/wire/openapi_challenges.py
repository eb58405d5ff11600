"""Challenges and the day's deal in the OpenAPI document."""

from typing import Any

from pydantic import BaseModel

from halfmoon.wire import challenges as w

CHALLENGE_ANSWERS: tuple[type[BaseModel], ...] = (
    w.ChallengeMade,
    w.ChallengeView,
    w.MyChallenges,
    w.DailyView,
    w.DailyDays,
)
CHALLENGE_BODIES: tuple[type[BaseModel], ...] = (w.ChallengeWanted,)
"""What is asked in JSON."""

Part = dict[str, Any]

_AFTER: Part = {
    "name": "after",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The `next` of the page before.",
}
_DAY: Part = {
    "name": "day",
    "in": "query",
    "schema": {"type": "string", "format": "date"},
    "description": "An earlier day; left out, the day that it is where the server is.",
}
_CHALLENGE: Part = {
    "name": "challenge",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "description": "A challenge's id; in any case.",
}
_BODY: Part = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {"$ref": "#/components/schemas/ChallengeWanted"},
            "example": {"race": "r_b1946ac92492d234", "sealed": True},
        }
    },
}
_TOKEN: Part = {"security": [{"token": []}]}
_TOKEN_IF_ANY: Part = {"security": [{}, {"token": []}]}


def paths() -> Part:
    """Every call, by its path."""
    return {
        "/api/challenges": {
            "post": {
                **_operation("makeChallenge", "Makes a challenge out of a race of one's own."),
                **_TOKEN,
                "requestBody": _BODY,
                "responses": {
                    "201": _json("The challenge.", "ChallengeMade"),
                    "400": _error("A body that can't be read."),
                    "401": _error("No player has this token."),
                    "403": _error("Who asks, or one of the ghosts, did not race there."),
                    "404": _error("There is no record of such a race."),
                    "409": _error("The deal is no secret, or one that may not be told yet."),
                    "429": _error("Too many, too fast."),
                    "503": _error("The log can't be read or written right now."),
                },
            }
        },
        "/api/challenges/{challenge}": _read(
            "challenge",
            "Who challenges and by which rules; the table once it is open to who asks.",
            "ChallengeView",
            {**_TOKEN_IF_ANY, "parameters": [_CHALLENGE, _AFTER]},
            {
                "404": _error("There is no such challenge."),
                "429": _error("Too many wrong tokens, unknown challenges or rooms."),
            },
        ),
        "/api/players/me/challenges": _read(
            "myChallenges",
            f"One's own challenges, the newest first, {w.CHALLENGES_A_PAGE} at most.",
            "MyChallenges",
            {**_TOKEN, "parameters": [_AFTER]},
        ),
        "/api/daily": _read(
            "daily",
            "The deal of the day; code and table once they are open to who asks.",
            "DailyView",
            {**_TOKEN_IF_ANY, "parameters": [_DAY, _AFTER]},
            {"404": _error("No deal was drawn on that day.")},
        ),
        "/api/daily/days": _read(
            "dailyDays",
            f"The deals of days, the newest first, {w.DAYS_A_PAGE} at most: the best of each once "
            "they are open to who asks.",
            "DailyDays",
            {**_TOKEN_IF_ANY, "parameters": [_AFTER]},
        ),
    }


def _operation(name: str, summary: str) -> Part:
    return {"operationId": name, "summary": summary}


def _read(name: str, summary: str, model: str, asked: Part, more: Part | None = None) -> Part:
    answers: Part = {
        "200": _json(summary, model),
        "304": {"description": "It is as it was."},
        "400": _error("The query can't be read."),
        "401": _error("No player has this token."),
        "429": _error("Too many wrong tokens."),
        "503": _error("The log can't be read right now."),
    }
    return {"get": {**_operation(name, summary), **asked, "responses": answers | (more or {})}}


def _json(description: str, model: str) -> Part:
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _error(description: str) -> Part:
    return _json(description, "HttpError")
