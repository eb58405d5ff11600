"""Logs of one entry, such as those of challenges and of the days' deals."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from halfmoon_server.eventlog.base import EventLog, LogDamaged, LogUnavailable

M = TypeVar("M", bound=BaseModel)


async def only_entry(event_log: EventLog, log: str, model: type[M]) -> M | None:
    """What a log of one entry holds, None where there is no such log. Raises `LogUnavailable`."""
    try:
        entries = await event_log.read(log)
        return model.model_validate_json(entries[0]) if entries else None
    except (LogDamaged, ValidationError):
        raise LogUnavailable(f"the log of {log} can't be read") from None
