"""Rooms as pure code: commands in, events out, and what each viewer may see of it."""
