"""Tournaments as pure code, as rooms are: commands in, events out, and what everybody may see."""
