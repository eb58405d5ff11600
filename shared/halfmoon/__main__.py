"""`python -m halfmoon`: the command without its script."""

import sys

from halfmoon.cli import main

sys.exit(main())
