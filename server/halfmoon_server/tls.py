"""TLS by the operator's own certificate."""

import ssl
from pathlib import Path


class UnusableCertificate(Exception):
    """The certificate or its key can't be used; says which file and why."""


def server_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """What connections are encrypted by; without a `key` it lies in the certificate's file.

    Raises `UnusableCertificate`.
    """
    for file in (certificate, key):
        if file is not None:
            _look_at(file)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except _Locked:
        raise UnusableCertificate(f"the key in {key or certificate} needs a password") from None
    except ssl.SSLError as error:
        files = f"{certificate} and {key}" if key else str(certificate)
        why = {
            "KEY_VALUES_MISMATCH": "the key belongs to another certificate",
        }.get(error.reason or "", "they hold no certificate and its key in PEM form")
        raise UnusableCertificate(f"no TLS by {files}: {why}") from None
    return context


def _look_at(file: Path) -> None:
    """OpenSSL doesn't say which of two files it couldn't read."""
    try:
        with file.open("rb"):
            return
    except OSError as error:
        raise UnusableCertificate(f"can't read {file}: {error.strerror or error}") from None


class _Locked(Exception):
    """OpenSSL asked for a password, which nobody is there to type."""


def _no_password() -> str:
    raise _Locked
