"""WebSocket frames as the server sends them (RFC 6455 §5.2): whole, unmasked, uncompressed.

A frame is encoded once and the same bytes go to everybody whom it is for.
"""

from pydantic import BaseModel

from halfmoon.wire import codec

_FINAL_TEXT = 0x81


def text_frame(text: str) -> bytes:
    """The text as one frame."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return bytes((_FINAL_TEXT, size)) + payload
    if size < 1 << 16:
        return bytes((_FINAL_TEXT, 126)) + size.to_bytes(2, "big") + payload
    return bytes((_FINAL_TEXT, 127)) + size.to_bytes(8, "big") + payload


def message_frame(message: BaseModel) -> bytes:
    """The message as one frame."""
    return text_frame(codec.write(message))
