"""The server: rooms, their log, and the connections of those who race in them."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("halfmoon-race")
except PackageNotFoundError:  # run from the sources, without an installation
    __version__ = "0"
