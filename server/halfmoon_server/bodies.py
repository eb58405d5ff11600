"""What is asked of the API in JSON, and what its errors are."""

from typing import TypeVar

from aiohttp import web
from pydantic import BaseModel, ValidationError

from halfmoon_server.replies import error

B = TypeVar("B", bound=BaseModel)

LONGEST_FAULT = 200
STATUS = {"bad_request": 400, "unauthorized": 401, "wrong_state": 409, "not_allowed": 409}
"""By code; what is unknown is 404."""


class Refused(Exception):
    """The request is answered with this error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code

    def response(self) -> web.Response:
        """The answer."""
        response = error(self.status, self.code, str(self))
        if self.status == 401:
            response.headers["WWW-Authenticate"] = "Bearer"
        if self.status == 413:
            response.force_close()
        return response


async def body_of(request: web.Request, model: type[B]) -> B:
    """The request's body; raises `Refused`. No body at all is an empty object."""
    try:
        body = await request.read()
    except web.HTTPRequestEntityTooLarge:
        raise Refused(413, "too_big", "a body has at most 1 MiB") from None
    except web.RequestPayloadError:
        raise Refused(400, "bad_request", "the body can't be unpacked as its headers say") from None
    try:
        return model.model_validate_json(body or b"{}")
    except ValidationError as fault:
        raise Refused(400, "bad_request", _first_fault(fault)) from None


def _first_fault(fault: ValidationError) -> str:
    first = fault.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return (f"{place}: {message}" if place else message)[:LONGEST_FAULT]


def refusal(code: str, message: str) -> Refused:
    """The error for what the rules refuse."""
    return Refused(STATUS.get(code, 404), code, message)
