"""The web client: static files, served as written."""
