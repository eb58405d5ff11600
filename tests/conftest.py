"""How hard Hypothesis looks: the same cases each time, or many new ones in a long run.

No server of the tests calls anybody, so that none has to load the certificates of the world's
authorities, which aiohttp does at every start.
"""

import os

from hypothesis import settings

settings.register_profile("default", max_examples=100, derandomize=True, deadline=None)
settings.register_profile(
    "long", max_examples=2000, derandomize=False, deadline=None, print_blob=True
)
settings.load_profile("long" if os.environ.get("HALFMOON_LONG") else "default")
os.environ.setdefault("SSL_CERT_FILE", os.devnull)
