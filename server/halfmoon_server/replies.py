"""The API's answers in JSON, and those that a client may keep and ask after."""

import hashlib

from aiohttp import web
from pydantic import BaseModel

from halfmoon.wire.http import HttpError

NO_STORE = {"Cache-Control": "no-store"}
TAG_LENGTH = 32


def reply(model: BaseModel, status: int = 200) -> web.Response:
    """The model as it is now."""
    return web.json_response(text=_text(model), status=status, headers=NO_STORE)


def error(status: int, code: str, message: str) -> web.Response:
    """An error of the API."""
    return reply(HttpError(error=code, message=message), status)


def tagged(request: web.Request, model: BaseModel, *, private: bool = False) -> web.Response:
    """The model with a tag, or 304 to who has it already; `private` is what only the asker may see."""
    text = _text(model)
    tag = hashlib.sha256(text.encode()).hexdigest()[:TAG_LENGTH]
    headers = {"Cache-Control": "private, no-cache" if private else "no-cache"}
    if private:
        headers["Vary"] = "Authorization"
    if any(one.value in (tag, "*") for one in request.if_none_match or ()):
        response = web.Response(status=304, headers=headers)
    else:
        response = web.json_response(text=text, headers=headers)
    response.etag = tag
    return response


def _text(model: BaseModel) -> str:
    return model.model_dump_json(by_alias=True)
