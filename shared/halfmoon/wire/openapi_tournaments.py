"""The calls on tournaments in the OpenAPI document (Contract §8)."""

from typing import Any

from pydantic import BaseModel

from halfmoon.wire import tournaments as t
from halfmoon.wire.fields import ROOM_ALPHABET, ROOM_ID_LENGTH

TOURNAMENT_ANSWERS: tuple[type[BaseModel], ...] = (
    t.TournamentMade,
    t.TournamentsPage,
    t.TournamentState,
    t.EntrantClaim,
    t.DrawnRound,
    t.Standings,
    t.TournamentLog,
    t.Explanation,
    t.EntrantPage,
    t.QrCodes,
)
TOURNAMENT_BODIES: tuple[type[BaseModel], ...] = (
    t.NewTournament,
    t.NewEntrants,
    t.Seeds,
    t.Correction,
    t.Because,
    t.NewAnnouncement,
    t.NewAutomaticMode,
    t.SecretLinks,
    t.NewName,
    t.NextRound,
    t.Nothing,
)
"""What is asked in JSON."""

Part = dict[str, Any]

SECURITY: Part = {
    "organiser": {
        "type": "http",
        "scheme": "bearer",
        "description": "The organiser key, which `halfmoon serve` prints as a link.",
    }
}

_BASE = "/api/tournaments/{tournament}"
_TOURNAMENT = {
    "type": "string",
    "pattern": f"^[{ROOM_ALPHABET}]{{{ROOM_ID_LENGTH}}}$",
    "description": "A tournament's id; in any case.",
}
_ENTRANT = {"type": "string"}
_NUMBER = {"type": "integer", "minimum": 1}
_DEVICE: Part = {
    "name": t.DEVICE_HEADER,
    "in": "header",
    "required": False,
    "description": "What the log calls the device, 1 to 24 characters, percent-encoded.",
    "schema": {"type": "string"},
}
_SEPARATOR: Part = {
    "name": "separator",
    "in": "query",
    "required": False,
    "description": "`semicolon` for spreadsheets where a comma stands before decimals.",
    "schema": {"type": "string", "enum": ["semicolon"]},
}
_PARAMETERS: dict[str, Part] = {
    "tournament": _TOURNAMENT,
    "entrant": _ENTRANT,
    "round": _NUMBER,
    "heat": _NUMBER,
}


def paths() -> Part:
    """Every call, by its path."""
    return {path: _with_parameters(path, item) for path, item in _calls().items()}


def _calls() -> dict[str, Part]:
    state, claims = "TournamentState", "EntrantClaim"
    return {
        "/api/tournaments": {
            **_read(
                "tournaments", "All tournaments, the newest first.", "TournamentsPage", key=True
            ),
            **_post("makeTournament", "Makes a tournament.", "NewTournament", "TournamentMade"),
        },
        _BASE: _read("tournament", "The whole state.", state),
        f"{_BASE}/standings": _read("standings", "The table and its rule.", "Standings"),
        f"{_BASE}/standings.csv": _file("standingsCsv", "The table for a spreadsheet.", "text/csv"),
        f"{_BASE}/log": _read("tournamentLog", "Every action, who and when.", "TournamentLog"),
        f"{_BASE}/export": _file(
            "export", "State, table and log in one JSON file.", "application/json"
        ),
        f"{_BASE}/result": _file(
            "resultFile",
            "Everything, signed by the server, for `halfmoon verify`; once no round runs.",
            "application/json",
        ),
        f"{_BASE}/entrants": {
            **_read("claims", "All entries with their claims, for printing.", [claims], key=True),
            **_post("addEntrants", "Puts names on the list.", "NewEntrants", [claims]),
        },
        f"{_BASE}/entrants/{{entrant}}": _read(
            "entrant", "An entrant's own rounds.", "EntrantPage"
        ),
        f"{_BASE}/entrants/{{entrant}}/claim": _post(
            "renewClaim", "A new claim for an entry; the old one is void.", "Nothing", claims
        ),
        f"{_BASE}/entrants/{{entrant}}/name": _post(
            "rename", "Gives them another name, before the first round.", "NewName", state
        ),
        f"{_BASE}/entrants/{{entrant}}/remove": _post(
            "remove",
            "Takes an entry that nobody took off the list, before the first round.",
            "Nothing",
            state,
        ),
        f"{_BASE}/entrants/{{entrant}}/withdraw": _post(
            "withdraw", "Draws them no more; what they earned stays.", "Nothing", state
        ),
        f"{_BASE}/entrants/{{entrant}}/readmit": _post(
            "readmit", "Draws them again, from the next round on.", "Nothing", state
        ),
        f"{_BASE}/seeds": _post("seed", "Orders the seeds before the first round.", "Seeds", state),
        f"{_BASE}/rounds": _post("drawRound", "Draws the next round.", "NextRound", "DrawnRound"),
        f"{_BASE}/rounds/{{round}}/heats/{{heat}}/explanation": _read(
            "explainHeat", "Why this heat was drawn so, in words.", "Explanation"
        ),
        f"{_BASE}/rounds/{{round}}/results/{{entrant}}": _post(
            "correct", "Corrects a result; the raw one stays beside it.", "Correction", state
        ),
        f"{_BASE}/rounds/{{round}}/end": _post(
            "endRound", "Ends a round that runs before its time.", "Because", state
        ),
        f"{_BASE}/rounds/{{round}}/annul": _post(
            "annul", "Makes a round count for nothing.", "Because", state
        ),
        f"{_BASE}/announcement": _post(
            "announce", "Shows everybody a line.", "NewAnnouncement", state
        ),
        f"{_BASE}/automatic": _post(
            "automatic", "Lets rounds follow by themselves, or waits.", "NewAutomaticMode", state
        ),
        f"{_BASE}/end": _post("endTournament", "Ends the tournament.", "Nothing", state),
        "/api/qr": _post(
            "drawCodes", "Draws the QR codes of links that hold a secret.", "SecretLinks", "QrCodes"
        ),
    }


Answer = str | list[str]
"""The name of a model; in a list: a list of them."""


def _read(name: str, summary: str, answer: Answer, *, key: bool = False) -> Part:
    answers: Part = {"200": _json(summary, answer), "404": _error("There is no such thing.")}
    if key:
        answers["401"] = _error("No organiser key, or a wrong one.")
    return {"get": _operation(name, summary, answers, key=key)}


def _file(name: str, summary: str, kind: str) -> Part:
    answers: Part = {
        "200": {"description": summary, "content": {kind: {"schema": {}}}},
        "404": _error("There is no such thing."),
        "409": _error("The state forbids it: a round is running."),
    }
    return {"get": _operation(name, summary, answers, key=False)}


def _post(name: str, summary: str, body: str, answer: Answer) -> Part:
    made = _json("What was made.", answer)
    answers: Part = {
        **(
            {"200": _json("What is so now.", answer)}
            if answer in ("TournamentState", "QrCodes")
            else {"201": made}
        ),
        "400": _error("A body that can't be read."),
        "401": _error("No organiser key, or a wrong one."),
        "404": _error("There is no such thing."),
        "409": _error("The state forbids it, such as a round that is running."),
        "413": _error("A body over 1 MiB."),
    }
    asked = {
        "required": body != "Nothing",
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{body}"}}},
    }
    return {"post": {**_operation(name, summary, answers, key=True), "requestBody": asked}}


def _operation(name: str, summary: str, answers: Part, *, key: bool) -> Part:
    secured: Part = {"security": [{"organiser": []}]} if key else {}
    return {"operationId": name, "summary": summary, "responses": answers, **secured}


def _json(description: str, answer: Answer) -> Part:
    if isinstance(answer, list):
        schema: Part = {
            "type": "array",
            "items": {"$ref": f"#/components/schemas/{answer[0]}"},
        }
    else:
        schema = {"$ref": f"#/components/schemas/{answer}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _error(description: str) -> Part:
    return _json(description, "HttpError")


def _with_parameters(path: str, item: Part) -> Part:
    """The path with what stands in its braces described, and what an organiser's call may say."""
    if "post" in item and path.startswith("/api/tournaments"):
        item = {**item, "post": {**item["post"], "parameters": [_DEVICE]}}
    if path.endswith(".csv"):
        item = {**item, "get": {**item["get"], "parameters": [_SEPARATOR]}}
    named = [name for name in _PARAMETERS if f"{{{name}}}" in path]
    described: list[Part] = [
        {"name": name, "in": "path", "required": True, "schema": _PARAMETERS[name]}
        for name in named
    ]
    return {**item, "parameters": described} if described else item
